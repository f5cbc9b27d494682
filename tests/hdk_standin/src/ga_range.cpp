#include <GA/GA_Detail.h>
#include <GA/GA_ElementGroup.h>
#include <GA/GA_IndexMap.h>
#include <GA/GA_Range.h>
#include <UT/UT_Assert.h>

#include <algorithm>

namespace standin
{
GA_DataId new_data_id();
}

GA_Offset GA_IndexMap::offsetFromIndex(GA_Index i) const
{
    UT_ASSERT(i >= 0 && i < indexSize());
    return order()[std::size_t(i)];
}
GA_Index GA_IndexMap::indexFromOffset(GA_Offset o) const
{
    UT_ASSERT(o >= 0 && o < offsetSize());
    return tables_->index_of[std::size_t(o)];
}

GA_IndexMap::Tables& GA_IndexMap::own()
{
    if (tables_.use_count() > 1) tables_ = std::make_shared<Tables>(*tables_);
    return *tables_;
}

GA_Offset GA_IndexMap::append(GA_Size n)
{
    Tables& t = own();
    const GA_Offset first = GA_Offset(t.index_of.size());
    for (GA_Size i = 0; i < n; ++i) {
        t.index_of.push_back(GA_Index(t.offset_of.size()));
        t.offset_of.push_back(first + i);
    }
    return first;
}

void GA_IndexMap::destroy(const std::vector<GA_Offset>& offsets)
{
    Tables& t = own();
    for (const GA_Offset o : offsets) t.index_of[std::size_t(o)] = -1;
    const auto gone = [&](GA_Offset o) { return t.index_of[std::size_t(o)] < 0; };
    t.offset_of.erase(std::remove_if(t.offset_of.begin(), t.offset_of.end(), gone),
                      t.offset_of.end());
    for (std::size_t i = 0; i < t.offset_of.size(); ++i)
        t.index_of[std::size_t(t.offset_of[i])] = GA_Index(i);
}

GA_Range::GA_Range(const GA_IndexMap& map)
    : GA_Range(map.shared_order(), 0, exint(map.shared_order()->size()))
{
}

GA_Range::GA_Range(const GA_IndexMap& map, GA_Offset start, GA_Offset end)
{
    auto list = std::make_shared<std::vector<GA_Offset>>();
    for (GA_Offset o = start; o < end; ++o)
        if (map.isOffsetActive(o)) list->push_back(o);
    end_ = exint(list->size());
    offsets_ = std::move(list);
}

GA_Iterator GA_Range::begin() const { return GA_Iterator(*this); }
GA_Iterator GA_Range::end() const
{
    GA_Iterator it(*this);
    it.move_to_end();
    return it;
}
GA_PageIterator GA_Range::beginPages() const { return GA_PageIterator(*this); }

bool GA_Iterator::blockAdvance(GA_Offset& start, GA_Offset& end)
{
    if (atEnd()) return false;
    start = range_.at(at_++);
    end = start + 1;
    while (!atEnd() && range_.at(at_) == end && (end & (GA_PAGE_SIZE - 1)) != 0) {
        ++at_;
        ++end;
    }
    return true;
}

bool GA_Iterator::fullBlockAdvance(GA_Offset& start, GA_Offset& end)
{
    if (atEnd()) return false;
    start = range_.at(at_++);
    for (end = start + 1; !atEnd() && range_.at(at_) == end; ++end) ++at_;
    return true;
}

exint GA_PageIterator::page_end() const
{
    exint k = at_;
    if (atEnd()) return k;
    const GA_Offset page = range_.at(at_) >> GA_PAGE_BITS;
    while (k < range_.end_position() && range_.at(k) >> GA_PAGE_BITS == page) ++k;
    return k;
}

GA_Iterator GA_PageIterator::begin() const
{
    GA_Range page = range_;
    // A piece of the same list.
    class Piece : public GA_Range
    {
    public:
        Piece(const GA_Range& r, exint b, exint e) : GA_Range(r)
        {
            begin_ = b;
            end_ = e;
        }
    };
    return GA_Iterator(Piece(page, at_, next_));
}

exint GA_SplittableRange::middle() const
{
    exint k = begin_ + (end_ - begin_) / 2;
    while (k < end_ && (k == begin_ || at(k) >> GA_PAGE_BITS == at(k - 1) >> GA_PAGE_BITS)) ++k;
    return k;
}

GA_SplittableRange::GA_SplittableRange(GA_SplittableRange& whole, tbb::split) : GA_Range(whole)
{
    begin_ = whole.end_ = whole.middle();
}

GA_ElementGroup::GA_ElementGroup(const GA_Detail& detail, GA_AttributeOwner owner,
                                 const UT_StringHolder& name, bool ordered)
    : GA_Group(name),
      detail_(&detail),
      owner_(owner),
      ordered_(ordered),
      member_(std::make_shared<std::vector<std::uint8_t>>()),
      data_id_(standin::new_data_id())
{
}
GA_ElementGroup::GA_ElementGroup(const GA_Detail& detail, const GA_ElementGroup& s)
    : GA_Group(s.name_),
      detail_(&detail),
      owner_(s.owner_),
      ordered_(s.ordered_),
      member_(s.member_),
      order_(s.order_),
      count_(s.count_),
      data_id_(s.data_id_)
{
}

GA_GroupType GA_ElementGroup::classType() const
{
    return owner_ == GA_ATTRIB_POINT       ? GA_GROUP_POINT
           : owner_ == GA_ATTRIB_PRIMITIVE ? GA_GROUP_PRIMITIVE
                                           : GA_GROUP_VERTEX;
}
const GA_IndexMap& GA_ElementGroup::map() const { return detail_->getIndexMap(owner_); }
bool GA_ElementGroup::containsIndex(GA_Index i) const
{
    return containsOffset(map().offsetFromIndex(i));
}
void GA_ElementGroup::addIndex(GA_Index i) { addOffset(map().offsetFromIndex(i)); }
void GA_ElementGroup::bumpDataId() { data_id_ = standin::new_data_id(); }

void GA_ElementGroup::set(GA_Offset o, bool member)
{
    if (containsOffset(o) == member) return;
    if (member_.use_count() > 1) member_ = std::make_shared<std::vector<std::uint8_t>>(*member_);
    if (member_->size() <= std::size_t(o)) member_->resize(std::size_t(o) + 1, 0);
    (*member_)[std::size_t(o)] = member;
    count_ += member ? 1 : -1;
    if (ordered_ && member) order_.push_back(o);
    if (ordered_ && !member) order_.erase(std::find(order_.begin(), order_.end(), o));
}
void GA_ElementGroup::addRange(const GA_Range& range)
{
    for (GA_Iterator it(range); !it.atEnd(); ++it) addOffset(*it);
}
void GA_ElementGroup::addAll() { addRange(GA_Range(map())); }
void GA_ElementGroup::clear()
{
    member_ = std::make_shared<std::vector<std::uint8_t>>();
    order_.clear();
    count_ = 0;
}

GA_Range GA_ElementGroup::range() const
{
    auto list = std::make_shared<std::vector<GA_Offset>>(order_);
    if (!ordered_)
        for (GA_Iterator it{GA_Range(map())}; !it.atEnd(); ++it)
            if (containsOffset(*it)) list->push_back(*it);
    const exint n = exint(list->size());
    return GA_Range(std::move(list), 0, n);
}
