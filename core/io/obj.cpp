#include "core/io/obj.h"

#include "core/base/error.h"
#include "core/io/read_budget.h"

#include <charconv>
#include <cstdlib>
#include <map>
#include <set>

namespace selvage
{
namespace
{

class ObjReader
{
public:
    explicit ObjReader(std::string_view text) : rest_(text), budget_(text.size()) {}
    Geometry read();

private:
    struct Corner {
        std::int32_t point = 0, uv = -1, normal = -1;
    };

    bool next_line(std::string& line);
    std::string_view word();
    float number(std::string_view text);
    std::int32_t index(std::string_view text, std::size_t count, const char* what);
    void vector(std::vector<float>& out, int needed);
    void primitive(bool closed);
    Corner corner(std::string_view text);
    void start_groups(bool several, const char* kind);
    Attribute corner_attribute(const char* name, const char* type, const std::vector<float>& from,
                               std::int32_t Corner::*which) const;
    [[noreturn]] void fail(const std::string& what) const;

    std::string_view rest_;
    std::string_view line_; // what is left of the current line
    std::size_t line_number_ = 0;
    ReadBudget budget_;
    std::vector<float> positions_, uvs_, normals_;
    std::vector<Corner> corners_;
    std::vector<Primitive> primitives_;
    // For each of "g", "o" and "usemtl", the groups that new primitives join.
    std::map<std::string, std::vector<std::string>> current_;
    // Name, then runs [first, last) of primitives.
    std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> members_;
    std::vector<std::string> group_order_;
};

void ObjReader::fail(const std::string& what) const
{
    throw InputError("Line " + std::to_string(line_number_) + ": " + what + ".");
}

/// The next line, with continuations joined; comments are left to the caller.
bool ObjReader::next_line(std::string& line)
{
    line.clear();
    if (rest_.empty()) return false;
    for (;;) {
        ++line_number_;
        const std::size_t end = rest_.find('\n');
        std::string_view part = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (!part.empty() && part.back() == '\r') part.remove_suffix(1);
        const bool joined = !part.empty() && part.back() == '\\';
        if (joined) part.remove_suffix(1);
        line += part;
        if (!joined || rest_.empty()) return true;
        line += ' ';
    }
}

std::string_view ObjReader::word()
{
    const std::size_t first = line_.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        line_ = {};
        return {};
    }
    line_.remove_prefix(first);
    const std::string_view found = line_.substr(0, line_.find_first_of(" \t"));
    line_.remove_prefix(found.size());
    return found;
}

float ObjReader::number(std::string_view text)
{
    float value = 0;
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc::result_out_of_range)
        value = float(std::strtod(std::string(text).c_str(), nullptr));
    if (error == std::errc::invalid_argument || stop != end)
        fail("'" + std::string(text.substr(0, 40)) + "' is not a number");
    return value;
}

/// One-based, or counted from the end where negative.
std::int32_t ObjReader::index(std::string_view text, std::size_t count, const char* what)
{
    std::int64_t i = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, i);
    if (error != std::errc() || stop != end)
        fail("'" + std::string(text.substr(0, 40)) + "' is not an index");
    if (i < 0) i += std::int64_t(count) + 1;
    if (i < 1 || i > std::int64_t(count))
        fail(std::string("There is no ") + what + " " + std::string(text.substr(0, 40)));
    return std::int32_t(i - 1);
}

void ObjReader::vector(std::vector<float>& out, int needed)
{
    int have = 0;
    for (std::string_view w = word(); !w.empty() && have < 3; w = word(), ++have)
        out.push_back(number(w));
    if (have < needed) fail("Too few coordinates");
    for (; have < 3; ++have) out.push_back(0);
}

ObjReader::Corner ObjReader::corner(std::string_view text)
{
    Corner c;
    const std::size_t a = text.find('/');
    c.point = index(text.substr(0, a), positions_.size() / 3, "vertex");
    if (a == std::string_view::npos) return c;
    const std::string_view rest = text.substr(a + 1);
    const std::size_t b = rest.find('/');
    if (const auto uv = rest.substr(0, b); !uv.empty())
        c.uv = index(uv, uvs_.size() / 3, "texture coordinate");
    if (b != std::string_view::npos && b + 1 < rest.size())
        c.normal = index(rest.substr(b + 1), normals_.size() / 3, "normal");
    return c;
}

void ObjReader::primitive(bool closed)
{
    Primitive p;
    p.closed = closed;
    p.first = std::int64_t(corners_.size());
    for (std::string_view w = word(); !w.empty(); w = word()) corners_.push_back(corner(w));
    p.count = std::int64_t(corners_.size()) - p.first;
    if (p.count < (closed ? 3 : 2))
        fail(closed ? "A face needs three corners" : "A line needs two");
    budget_.charge(1, 2 * sizeof(Primitive), "primitives");
    const std::size_t number = primitives_.size();
    primitives_.push_back(p);
    for (const auto& [kind, names] : current_)
        for (const std::string& name : names) {
            auto& runs = members_[name];
            if (!runs.empty() && runs.back().second >= number)
                runs.back().second = number + 1;
            else
                runs.emplace_back(number, number + 1);
        }
}

void ObjReader::start_groups(bool several, const char* kind)
{
    auto& names = current_[kind];
    names.clear();
    std::set<std::string> seen;
    for (std::string_view w = word(); !w.empty(); w = several ? word() : std::string_view()) {
        const std::string name(w);
        if (*kind == 'g' && (name == "default" || name == "off")) continue; // no group
        if (!seen.insert(name).second) continue;
        // Each primitive visits each of its groups.
        if (names.size() == 64) fail("More than 64 groups at once");
        names.push_back(name);
        if (members_.try_emplace(name).second) group_order_.push_back(name);
    }
}

Attribute ObjReader::corner_attribute(const char* name, const char* type,
                                      const std::vector<float>& from,
                                      std::int32_t Corner::*which) const
{
    Attribute a = make_attribute(name, Owner::vertex, Storage::real32, 3, corners_.size());
    a.type_info = type;
    auto& values = std::get<std::vector<float>>(a.values);
    for (std::size_t i = 0; i < corners_.size(); ++i)
        if (const std::int32_t k = corners_[i].*which; k >= 0)
            std::copy_n(from.begin() + 3 * std::ptrdiff_t(k), 3,
                        values.begin() + 3 * std::ptrdiff_t(i));
    return a;
}

Geometry ObjReader::read()
{
    for (std::string line; next_line(line);) {
        line_ = std::string_view(line).substr(0, line.find('#'));
        const std::string_view keyword = word();
        if (keyword == "v")
            vector(positions_, 3);
        else if (keyword == "vt")
            vector(uvs_, 1);
        else if (keyword == "vn")
            vector(normals_, 3);
        else if (keyword == "f" || keyword == "fo")
            primitive(true);
        else if (keyword == "l")
            primitive(false);
        else if (keyword == "g")
            start_groups(true, "g");
        else if (keyword == "o")
            start_groups(false, "o");
        else if (keyword == "usemtl")
            start_groups(false, "usemtl");
    }

    std::vector<std::int32_t> vertex_point(corners_.size()), vertices(corners_.size());
    bool any_uv = false, any_normal = false;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
        vertex_point[i] = corners_[i].point;
        vertices[i] = std::int32_t(i);
        any_uv |= corners_[i].uv >= 0;
        any_normal |= corners_[i].normal >= 0;
    }
    Geometry g;
    const std::size_t primitive_count = primitives_.size();
    g.set_topology(positions_.size() / 3, std::move(vertex_point), std::move(vertices), {},
                   std::move(primitives_));
    Attribute P = make_attribute("P", Owner::point, Storage::real32, 3, 0);
    P.type_info = "point";
    P.values = std::move(positions_);
    g.set(std::move(P));
    if (any_uv) g.set(corner_attribute("uv", "", uvs_, &Corner::uv));
    if (any_normal) g.set(corner_attribute("N", "normal", normals_, &Corner::normal));
    for (const std::string& name : group_order_) {
        const auto& runs = members_[name];
        if (runs.empty()) continue;
        budget_.charge(primitive_count + sizeof(Group), 1, "group members");
        Group group;
        group.name = name;
        group.owner = Owner::primitive;
        group.member.assign(primitive_count, 0);
        for (const auto& [first, last] : runs)
            std::fill(group.member.begin() + std::ptrdiff_t(first),
                      group.member.begin() + std::ptrdiff_t(last), std::uint8_t(1));
        g.set_group(std::move(group));
    }
    return g;
}

// ---- writing

/// uv or N, of vertices or of points; null where there is none of three reals.
const Attribute* find_vectors(const Geometry& g, const char* name)
{
    for (const Owner owner : {Owner::vertex, Owner::point}) {
        const Attribute* a = g.find(owner, name);
        if (a && is_real(a->storage) && !a->is_array && a->tuple_size >= 2) return a;
    }
    return nullptr;
}

std::string one_word(std::string name)
{
    for (char& c : name)
        if (c == '#' || c == '\\' || static_cast<unsigned char>(c) <= ' ') c = '_';
    return name.empty() ? "_" : name;
}

void put_vectors(std::string& out, const char* keyword, const Attribute& a)
{
    char buffer[40];
    for (std::size_t i = 0; i < a.size(); ++i) {
        out += keyword;
        for (int c = 0; c < std::min(a.tuple_size, 3); ++c) {
            out += ' ';
            const double v = a.number(i, c);
            const auto end = a.storage == Storage::real64
                                 ? std::to_chars(buffer, buffer + sizeof buffer, v).ptr
                                 : std::to_chars(buffer, buffer + sizeof buffer, float(v)).ptr;
            out.append(buffer, end);
        }
        out += '\n';
    }
}

} // namespace

Geometry read_obj(std::string_view text) { return ObjReader(text).read(); }

std::string write_obj(const Geometry& g)
{
    std::string out = "# Written by Selvage\n";
    out.reserve(40 * g.point_count() + 16 * g.vertex_count());
    if (g.point_count()) put_vectors(out, "v", g.get(Owner::point, "P"));
    const Attribute* uv = find_vectors(g, "uv");
    const Attribute* N = find_vectors(g, "N");
    if (N && N->tuple_size < 3) N = nullptr;
    if (uv) put_vectors(out, "vt", *uv);
    if (N) put_vectors(out, "vn", *N);

    const auto put_corner = [&](std::int32_t v, bool shading) {
        const std::int32_t p = g.vertex_point()[std::size_t(v)];
        out += ' ';
        out += std::to_string(p + 1);
        if (!shading || (!uv && !N)) return;
        out += '/';
        if (uv) out += std::to_string((uv->owner == Owner::vertex ? v : p) + 1);
        if (!N) return;
        out += '/';
        out += std::to_string((N->owner == Owner::vertex ? v : p) + 1);
    };
    std::string groups;
    for (std::size_t i = 0; i < g.primitive_count(); ++i) {
        const Primitive& p = g.primitives()[i];
        if (p.type == PrimitiveType::tetrahedron)
            throw InputError("Primitive " + std::to_string(i) +
                             " is a tetrahedron, which OBJ cannot hold. Write .bgeo instead.");
        std::string now;
        for (const Group& group : g.groups())
            if (group.owner == Owner::primitive && group.member[i])
                now += " " + one_word(group.name);
        if (now != groups) out += "g" + (now.empty() ? " default" : now) + "\n";
        groups = now;

        const std::int32_t* v = g.primitive_vertices().data() + p.first;
        const bool soup = p.type == PrimitiveType::polygon_soup;
        for (std::int64_t s = 0; s < (soup ? p.soup_count : 1); ++s) {
            const std::int64_t n =
                soup ? g.soup_polygon_sizes()[std::size_t(p.soup_first + s)] : p.count;
            out += p.closed ? 'f' : 'l';
            for (std::int64_t k = 0; k < n; ++k) put_corner(*v++, p.closed);
            out += '\n';
        }
    }
    return out;
}

} // namespace selvage
