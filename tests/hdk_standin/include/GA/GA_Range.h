#pragma once
#include <GA/GA_Types.h>

#include <memory>
#include <vector>

#include <tbb/blocked_range.h>

class GA_IndexMap;
class GA_Iterator;
class GA_PageIterator;

/// A sequence of offsets: all elements, those of a group, or a piece of either.
class GA_Range
{
public:
    GA_Range() = default;
    GA_Range(std::shared_ptr<const std::vector<GA_Offset>> offsets, exint begin, exint end)
        : offsets_(std::move(offsets)), begin_(begin), end_(end)
    {
    }
    explicit GA_Range(const GA_IndexMap& map);
    GA_Range(const GA_IndexMap& map, GA_Offset start, GA_Offset end);

    GA_Size getEntries() const { return end_ - begin_; }
    GA_Size getMaxEntries() const { return end_ - begin_; }
    bool isEmpty() const { return begin_ == end_; }
    bool empty() const { return isEmpty(); }
    GA_Iterator begin() const;
    GA_Iterator end() const;
    GA_PageIterator beginPages() const;
    GA_Offset at(exint k) const { return (*offsets_)[std::size_t(k)]; }
    exint first_position() const { return begin_; }
    exint end_position() const { return end_; }

protected:
    std::shared_ptr<const std::vector<GA_Offset>> offsets_ =
        std::make_shared<std::vector<GA_Offset>>();
    exint begin_ = 0, end_ = 0;
};

class GA_Iterator
{
public:
    GA_Iterator() = default;
    explicit GA_Iterator(const GA_Range& range) : range_(range), at_(range.first_position()) {}
    bool atEnd() const { return at_ >= range_.end_position(); }
    void advance() { ++at_; }
    GA_Iterator& operator++()
    {
        ++at_;
        return *this;
    }
    GA_Offset operator*() const { return range_.at(at_); }
    GA_Offset getOffset() const { return range_.at(at_); }
    void rewind() { at_ = range_.first_position(); }
    bool operator!=(const GA_Iterator& b) const { return at_ != b.at_; }
    bool operator==(const GA_Iterator& b) const { return at_ == b.at_; }
    /// The next run of consecutive offsets [start, end) within one page; false at the end.
    bool blockAdvance(GA_Offset& start, GA_Offset& end);
    bool fullBlockAdvance(GA_Offset& start, GA_Offset& end);
    void move_to_end() { at_ = range_.end_position(); }

private:
    GA_Range range_;
    exint at_ = 0;
};

class GA_PageIterator
{
public:
    explicit GA_PageIterator(const GA_Range& range)
        : range_(range), at_(range.first_position()), next_(page_end())
    {
    }
    bool atEnd() const { return at_ >= range_.end_position(); }
    GA_PageIterator& operator++()
    {
        at_ = next_;
        next_ = page_end();
        return *this;
    }
    void advance() { ++*this; }
    GA_Iterator begin() const;
    GA_Offset getFirstOffsetInPage() const { return range_.at(at_); }

private:
    exint page_end() const;
    GA_Range range_;
    exint at_, next_;
};

/// A range that parallel loops may cut, at page borders only.
class GA_SplittableRange : public GA_Range
{
public:
    explicit GA_SplittableRange(const GA_Range& range) : GA_Range(range) {}
    GA_SplittableRange(GA_SplittableRange& whole, tbb::split);
    bool is_divisible() const { return middle() != end_; }

private:
    exint middle() const; ///< a page border near the middle; end_ where there is none
};

#define GA_FOR_ALL_PTOFF(gdp, offset)                                                              \
    for (GA_Iterator lcl_it_##offset((gdp)->getPointRange());                                      \
         !lcl_it_##offset.atEnd() && ((offset = *lcl_it_##offset), true); ++lcl_it_##offset)
#define GA_FOR_ALL_GROUP_PTOFF(gdp, group, offset)                                                 \
    for (GA_Iterator lcl_it_##offset((gdp)->getPointRange(group));                                 \
         !lcl_it_##offset.atEnd() && ((offset = *lcl_it_##offset), true); ++lcl_it_##offset)
#define GA_FOR_ALL_OPT_GROUP_PTOFF(gdp, group, offset) GA_FOR_ALL_GROUP_PTOFF(gdp, group, offset)
#define GA_FOR_ALL_PRIMITIVES(gdp, prim)                                                           \
    for (GA_Iterator lcl_it_##prim((gdp)->getPrimitiveRange());                                    \
         !lcl_it_##prim.atEnd() && ((prim = (gdp)->getPrimitive(*lcl_it_##prim)), true);           \
         ++lcl_it_##prim)
#define GA_FOR_ALL_OPT_GROUP_PRIMITIVES(gdp, group, prim)                                          \
    for (GA_Iterator lcl_it_##prim((gdp)->getPrimitiveRange(group));                               \
         !lcl_it_##prim.atEnd() && ((prim = (gdp)->getPrimitive(*lcl_it_##prim)), true);           \
         ++lcl_it_##prim)
#define GA_FOR_ALL_GROUP_PRIMITIVES(gdp, group, prim)                                              \
    GA_FOR_ALL_OPT_GROUP_PRIMITIVES(gdp, group, prim)
#define GA_FOR_ALL_POINTGROUPS(gdp, group)                                                         \
    for (auto lcl_it_##group = (gdp)->point_groups().begin();                                      \
         lcl_it_##group != (gdp)->point_groups().end() && ((group = &*lcl_it_##group), true);      \
         ++lcl_it_##group)
#define STANDIN_ALL_ATTRIBUTES(gdp, owner, attrib)                                                 \
    for (auto lcl_it_##attrib = (gdp)->getAttributeDict(owner).begin();                            \
         !lcl_it_##attrib.atEnd() && ((attrib = lcl_it_##attrib.attrib()), true);                  \
         ++lcl_it_##attrib)
#define GA_FOR_ALL_POINT_ATTRIBUTES(gdp, attrib)                                                   \
    STANDIN_ALL_ATTRIBUTES(gdp, GA_ATTRIB_POINT, attrib)
#define GA_FOR_ALL_VERTEX_ATTRIBUTES(gdp, attrib)                                                  \
    STANDIN_ALL_ATTRIBUTES(gdp, GA_ATTRIB_VERTEX, attrib)
#define GA_FOR_ALL_PRIMITIVE_ATTRIBUTES(gdp, attrib)                                               \
    STANDIN_ALL_ATTRIBUTES(gdp, GA_ATTRIB_PRIMITIVE, attrib)
#define GA_FOR_ALL_DETAIL_ATTRIBUTES(gdp, attrib)                                                  \
    STANDIN_ALL_ATTRIBUTES(gdp, GA_ATTRIB_DETAIL, attrib)
#define GA_FOR_ALL_PRIMGROUPS(gdp, group)                                                          \
    for (auto lcl_it_##group = (gdp)->primitive_groups().begin();                                  \
         lcl_it_##group != (gdp)->primitive_groups().end() && ((group = &*lcl_it_##group), true);  \
         ++lcl_it_##group)
