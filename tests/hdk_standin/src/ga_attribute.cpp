#include <GA/GA_AIFMath.h>
#include <GA/GA_AIFSharedStringTuple.h>
#include <GA/GA_AIFTuple.h>
#include <GA/GA_Attribute.h>
#include <GA/GA_Detail.h>
#include <UT/UT_Assert.h>

#include <atomic>
#include <cmath>

namespace standin
{
GA_DataId new_data_id()
{
    static std::atomic<GA_DataId> next{1};
    return next++;
}
} // namespace standin

namespace
{

std::size_t storage_bytes(GA_Storage s)
{
    switch (s) {
    case GA_STORE_BOOL:
    case GA_STORE_UINT8:
    case GA_STORE_INT8: return 1;
    case GA_STORE_INT16:
    case GA_STORE_REAL16: return 2;
    case GA_STORE_INT64:
    case GA_STORE_REAL64: return 8;
    default: return 4;
    }
}

template <class T> T load(const unsigned char* at)
{
    T v;
    std::memcpy(&v, at, sizeof v);
    return v;
}
template <class T> void store(unsigned char* at, T v) { std::memcpy(at, &v, sizeof v); }

fpreal load_half(const unsigned char* at)
{
    const auto h = load<std::uint16_t>(at);
    const int exponent = h >> 10 & 31, mantissa = h & 1023;
    const fpreal v = exponent == 0    ? std::ldexp(fpreal(mantissa), -24)
                     : exponent == 31 ? (mantissa ? NAN : INFINITY)
                                      : std::ldexp(fpreal(mantissa + 1024), exponent - 25);
    return h & 0x8000 ? -v : v;
}

/// Nearest half; too large becomes infinite, too small zero.
void store_half(unsigned char* at, fpreal v)
{
    const std::uint16_t sign = std::signbit(v) ? 0x8000 : 0;
    int e = 0;
    const fpreal m = std::frexp(std::fabs(v), &e);
    std::uint16_t bits;
    if (std::isnan(v))
        bits = 0x7e00;
    else if (v == 0 || e < -24)
        bits = 0;
    else if (e > 16)
        bits = 0x7c00;
    else if (e < -13)
        bits = std::uint16_t(std::lrint(std::ldexp(m, e + 24)));
    else
        bits = std::uint16_t(((e + 14) << 10) + std::lrint(std::ldexp(m, 11)) - 1024);
    store<std::uint16_t>(at, std::uint16_t(bits | sign));
}

template <class T> T load_number(GA_Storage s, const unsigned char* at)
{
    switch (s) {
    case GA_STORE_BOOL:
    case GA_STORE_UINT8: return T(*at);
    case GA_STORE_INT8: return T(load<std::int8_t>(at));
    case GA_STORE_INT16: return T(load<std::int16_t>(at));
    case GA_STORE_INT32: return T(load<std::int32_t>(at));
    case GA_STORE_INT64: return T(load<std::int64_t>(at));
    case GA_STORE_REAL16: return T(load_half(at));
    case GA_STORE_REAL32: return T(load<float>(at));
    case GA_STORE_REAL64: return T(load<double>(at));
    default: return T(0);
    }
}

template <class T> void store_number(GA_Storage s, unsigned char* at, T v)
{
    switch (s) {
    case GA_STORE_BOOL: *at = v != 0; break;
    case GA_STORE_UINT8: *at = std::uint8_t(v); break;
    case GA_STORE_INT8: store(at, std::int8_t(v)); break;
    case GA_STORE_INT16: store(at, std::int16_t(v)); break;
    case GA_STORE_INT32: store(at, std::int32_t(v)); break;
    case GA_STORE_INT64: store(at, std::int64_t(v)); break;
    case GA_STORE_REAL16: store_half(at, fpreal(v)); break;
    case GA_STORE_REAL32: store(at, float(v)); break;
    case GA_STORE_REAL64: store(at, double(v)); break;
    default: break;
    }
}

bool is_text(GA_Storage s) { return s == GA_STORE_STRING || s == GA_STORE_DICT; }

} // namespace

GA_Attribute::GA_Attribute(GA_Detail& detail, GA_AttributeOwner owner, const UT_StringHolder& name,
                           GA_Storage storage, int tuple_size, const GA_Defaults& defaults)
    : detail_(&detail),
      owner_(owner),
      name_(name),
      storage_(storage),
      tuple_(tuple_size),
      element_bytes_(storage_bytes(storage) * std::size_t(tuple_size)),
      defaults_(defaults),
      data_id_(standin::new_data_id())
{
    if (is_text(storage)) strings_ = std::make_shared<std::vector<UT_StringHolder>>();
}

GA_Attribute::GA_Attribute(GA_Detail& detail, const GA_Attribute& source)
    : detail_(&detail),
      owner_(source.owner_),
      name_(source.name_),
      storage_(source.storage_),
      tuple_(source.tuple_),
      element_bytes_(source.element_bytes_),
      defaults_(source.defaults_),
      type_(source.type_),
      data_id_(source.data_id_),
      pages_(source.pages_),
      strings_(source.strings_)
{
}

void GA_Attribute::bumpDataId() { data_id_ = standin::new_data_id(); }
const GA_IndexMap& GA_Attribute::getIndexMap() const { return detail_->getIndexMap(owner_); }

int64 GA_Attribute::getMemoryUsage(bool) const
{
    return int64(pages_.size() * GA_PAGE_SIZE * element_bytes_);
}

GA_Attribute::Page GA_Attribute::default_page() const
{
    Page page(new unsigned char[GA_PAGE_SIZE * element_bytes_]);
    const std::size_t step = storage_bytes(storage_);
    for (std::size_t e = 0; e < GA_PAGE_SIZE; ++e)
        for (int c = 0; c < tuple_; ++c) {
            unsigned char* at = page.get() + e * element_bytes_ + std::size_t(c) * step;
            if (is_text(storage_))
                store<std::int32_t>(at, -1);
            else
                store_number(storage_, at, defaults_.get(c));
        }
    return page;
}

void GA_Attribute::grow(GA_Size offsets)
{
    const std::size_t needed = std::size_t((offsets + GA_PAGE_SIZE - 1) / GA_PAGE_SIZE);
    if (pages_.size() >= needed) return;
    const Page shared = default_page();
    pages_.resize(needed, nullptr);
    for (Page& p : pages_)
        if (!p) p = shared; // written pages are split off one by one
}

unsigned char* GA_Attribute::own_bytes(GA_Offset offset)
{
    Page& page = pages_[std::size_t(offset >> GA_PAGE_BITS)];
    if (page.use_count() > 1) {
        Page mine(new unsigned char[GA_PAGE_SIZE * element_bytes_]);
        std::memcpy(mine.get(), page.get(), GA_PAGE_SIZE * element_bytes_);
        page = std::move(mine);
    }
    return page.get() + std::size_t(offset & (GA_PAGE_SIZE - 1)) * element_bytes_;
}

bool GA_Attribute::shares_page(const GA_Attribute& b, GA_Offset offset) const
{
    const std::size_t page = std::size_t(offset >> GA_PAGE_BITS);
    return pages_[page] == b.pages_[page];
}

bool GA_Attribute::set_storage(GA_Storage storage)
{
    if (is_text(storage_) || is_text(storage)) return false;
    GA_Attribute other(*detail_, owner_, name_, storage, tuple_, defaults_);
    const GA_Size offsets = GA_Size(pages_.size()) * GA_PAGE_SIZE;
    other.grow(offsets);
    for (GA_Offset o = 0; o < offsets; ++o)
        for (int c = 0; c < tuple_; ++c) other.set_number(o, c, number(o, c));
    storage_ = storage;
    element_bytes_ = other.element_bytes_;
    pages_ = std::move(other.pages_);
    return true;
}

fpreal GA_Attribute::number(GA_Offset o, int c) const
{
    UT_ASSERT(o >= 0 && std::size_t(o >> GA_PAGE_BITS) < pages_.size());
    return load_number<fpreal>(storage_, bytes(o) + std::size_t(c) * storage_bytes(storage_));
}
void GA_Attribute::set_number(GA_Offset o, int c, fpreal v)
{
    store_number(storage_, own_bytes(o) + std::size_t(c) * storage_bytes(storage_), v);
}
int64 GA_Attribute::integer(GA_Offset o, int c) const
{
    return load_number<int64>(storage_, bytes(o) + std::size_t(c) * storage_bytes(storage_));
}
void GA_Attribute::set_integer(GA_Offset o, int c, int64 v)
{
    store_number(storage_, own_bytes(o) + std::size_t(c) * storage_bytes(storage_), v);
}

const UT_StringHolder& GA_Attribute::text(GA_Offset o, int c) const
{
    const auto i = load<std::int32_t>(bytes(o) + 4 * std::size_t(c));
    return i < 0 ? UT_StringHolder::theEmptyString : (*strings_)[std::size_t(i)];
}

void GA_Attribute::set_text(GA_Offset o, int c, const UT_StringHolder& value)
{
    std::int32_t i = -1;
    if (!value.isEmpty()) {
        std::vector<UT_StringHolder>& all = *strings_;
        for (std::size_t k = 0; k < all.size() && i < 0; ++k)
            if (all[k] == value) i = std::int32_t(k);
        if (i < 0) {
            if (strings_.use_count() > 1)
                strings_ = std::make_shared<std::vector<UT_StringHolder>>(all);
            i = std::int32_t(strings_->size());
            strings_->push_back(value);
        }
    }
    store(own_bytes(o) + 4 * std::size_t(c), i);
}

bool GA_Attribute::replace(const GA_Attribute& source)
{
    if (storage_ != source.storage_ || tuple_ != source.tuple_) return false;
    pages_ = source.pages_;
    strings_ = source.strings_;
    return true;
}

void GA_Attribute::copy(GA_Offset to, const GA_Attribute& source, GA_Offset from)
{
    for (int c = 0; c < std::min(tuple_, source.tuple_); ++c) {
        if (is_text(storage_))
            set_text(to, c, source.text(from, c));
        else if (getStorageClass() == GA_STORECLASS_INT)
            set_integer(to, c, source.integer(from, c));
        else
            set_number(to, c, source.number(from, c));
    }
}

const GA_AIFTuple* GA_Attribute::getAIFTuple() const
{
    static const GA_AIFTuple aif{};
    return is_text(storage_) ? nullptr : &aif;
}
const GA_AIFMath* GA_Attribute::getAIFMath() const
{
    static const GA_AIFMath aif{};
    return is_text(storage_) ? nullptr : &aif;
}
const GA_AIFSharedStringTuple* GA_Attribute::getAIFSharedStringTuple() const
{
    static const GA_AIFSharedStringTuple aif{};
    return storage_ == GA_STORE_STRING ? &aif : nullptr;
}

namespace
{
template <class F> bool componentwise(GA_Attribute& d, F&& f)
{
    for (int c = 0; c < d.getTupleSize(); ++c) f(c);
    return true;
}
} // namespace

bool GA_AIFMath::add(GA_Attribute& d, GA_Offset di, const GA_Attribute& a, GA_Offset ai,
                     const GA_Attribute& b, GA_Offset bi) const
{
    return componentwise(d, [&](int c) { d.set_number(di, c, a.number(ai, c) + b.number(bi, c)); });
}
bool GA_AIFMath::sub(GA_Attribute& d, GA_Offset di, const GA_Attribute& a, GA_Offset ai,
                     const GA_Attribute& b, GA_Offset bi) const
{
    return componentwise(d, [&](int c) { d.set_number(di, c, a.number(ai, c) - b.number(bi, c)); });
}
bool GA_AIFMath::mul(GA_Attribute& d, GA_Offset di, const GA_Attribute& a, GA_Offset ai,
                     fpreal scale) const
{
    return componentwise(d, [&](int c) { d.set_number(di, c, a.number(ai, c) * scale); });
}
bool GA_AIFMath::lerp(GA_Attribute& d, GA_Offset di, const GA_Attribute& a, GA_Offset ai,
                      const GA_Attribute& b, GA_Offset bi, fpreal s) const
{
    return componentwise(
        d, [&](int c) { d.set_number(di, c, (1 - s) * a.number(ai, c) + s * b.number(bi, c)); });
}
