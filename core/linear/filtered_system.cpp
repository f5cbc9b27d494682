#include "core/linear/filtered_system.h"

#include <cassert>

namespace selvage
{

namespace
{

double diagonal_sum(const BlockMatrix& A)
{
    double sum = 0;
    for (int r = 0; r < A.pattern->rows(); ++r) {
        const double* a = A.values.data() + 9 * A.pattern->row_begin()[std::size_t(r)];
        sum += a[0] + a[4] + a[8];
    }
    return sum;
}

/// out −= A z.
void subtract_product(const BlockMatrix& A, const VecX& z, VecX& out)
{
    const BlockPattern& pattern = *A.pattern;
    for (int r = 0; r < pattern.rows(); ++r) {
        const Vec3 z_r = z.segment<3>(3 * r);
        const bool row_moves = !(z_r.array() == 0).all();
        for (std::int64_t k = pattern.row_begin()[std::size_t(r)];
             k < pattern.row_begin()[std::size_t(r) + 1]; ++k) {
            const int c = pattern.columns()[std::size_t(k)];
            const Vec3 z_c = z.segment<3>(3 * c);
            if (!(z_c.array() == 0).all()) out.segment<3>(3 * r) -= A.block(k) * z_c;
            if (row_moves && c != r) out.segment<3>(3 * c) -= A.block(k).transpose() * z_r;
        }
    }
}

} // namespace

double constraint_scale(const LinearSystem& system)
{
    const int n = 3 * system.fixed->pattern->rows();
    double sum = diagonal_sum(*system.fixed);
    if (system.contact) sum += diagonal_sum(*system.contact);
    const double mean = sum / std::max(n, 1);
    return mean > 0 && mean < infinity ? mean : 1.0;
}

void filtered_right_hand_side(const LinearSystem& system, const VecX& b, const VecX* z, VecX& out)
{
    assert(b.size() == 3 * system.fixed->pattern->rows());
    out = b;
    if (z) {
        subtract_product(*system.fixed, *z, out);
        if (system.contact) subtract_product(*system.contact, *z, out);
    }
    if (system.filter) system.filter->apply(out);
}

void assemble_solution(const LinearSystem& system, const VecX& y, const VecX* z, VecX& x)
{
    x = y;
    if (system.filter) system.filter->apply(x);
    if (z) x += *z;
}

Mat3 filtered_block(const Mat3& B, const VertexFilter* filter, int row, int column)
{
    using Kind = VertexFilter::Kind;
    if (!filter) return B;
    const Kind left = filter->kind(row), right = filter->kind(column);
    if (left == Kind::free && right == Kind::free) return B;
    if (left == Kind::fixed || right == Kind::fixed) return Mat3::Zero();
    return filter->projector(row) * B * filter->projector(column);
}

bool same_pattern(const std::shared_ptr<const BlockPattern>& a,
                  const std::shared_ptr<const BlockPattern>& b)
{
    return a == b || (a && b && *a == *b);
}

} // namespace selvage
