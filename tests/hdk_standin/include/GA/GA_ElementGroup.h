#pragma once
#include <GA/GA_Range.h>
#include <GA/GA_Types.h>

#include <memory>
#include <vector>

class GA_Detail;

class GA_Group
{
public:
    virtual ~GA_Group() = default;
    const UT_StringHolder& getName() const { return name_; }
    void rename(const UT_StringHolder& name) { name_ = name; }
    virtual GA_GroupType classType() const = 0;

protected:
    explicit GA_Group(const UT_StringHolder& name) : name_(name) {}
    UT_StringHolder name_;
};

/// Membership of points, primitives or vertices; ordered groups keep the sequence too.
class GA_ElementGroup : public GA_Group
{
public:
    GA_ElementGroup(const GA_Detail& detail, GA_AttributeOwner owner, const UT_StringHolder& name,
                    bool ordered = false);
    GA_ElementGroup(const GA_Detail& detail, const GA_ElementGroup& source);

    GA_GroupType classType() const override;
    bool containsOffset(GA_Offset o) const
    {
        return std::size_t(o) < member_->size() && (*member_)[std::size_t(o)];
    }
    bool contains(GA_Offset o) const { return containsOffset(o); }
    bool containsIndex(GA_Index i) const;
    void addOffset(GA_Offset o) { set(o, true); }
    void removeOffset(GA_Offset o) { set(o, false); }
    void setElement(GA_Offset o, bool member) { set(o, member); }
    void addIndex(GA_Index i);
    void addRange(const GA_Range& range);
    void addAll();
    void clear();
    bool isEmpty() const { return count_ == 0; }
    GA_Size entries() const { return count_; }
    GA_Size getMaxEntries() const { return count_; }
    bool getOrdered() const { return ordered_; }
    GA_DataId getDataId() const { return data_id_; }
    void bumpDataId();
    GA_Range range() const;
    GA_AttributeOwner owner() const { return owner_; }
    GA_AttributeOwner getOwner() const { return owner_; }

private:
    void set(GA_Offset o, bool member);
    const GA_IndexMap& map() const;

    const GA_Detail* detail_;
    GA_AttributeOwner owner_;
    bool ordered_;
    std::shared_ptr<std::vector<std::uint8_t>> member_;
    std::vector<GA_Offset> order_;
    GA_Size count_ = 0;
    GA_DataId data_id_;
};

class GA_PointGroup : public GA_ElementGroup
{
public:
    explicit GA_PointGroup(const GA_Detail& detail, const char* name = nullptr,
                           bool ordered = false)
        : GA_ElementGroup(detail, GA_ATTRIB_POINT, name, ordered)
    {
    }
    GA_PointGroup(const GA_Detail& detail, const GA_PointGroup& s) : GA_ElementGroup(detail, s) {}
};
class GA_PrimitiveGroup : public GA_ElementGroup
{
public:
    explicit GA_PrimitiveGroup(const GA_Detail& detail, const char* name = nullptr,
                               bool ordered = false)
        : GA_ElementGroup(detail, GA_ATTRIB_PRIMITIVE, name, ordered)
    {
    }
    GA_PrimitiveGroup(const GA_Detail& detail, const GA_PrimitiveGroup& s)
        : GA_ElementGroup(detail, s)
    {
    }
};
class GA_VertexGroup : public GA_ElementGroup
{
public:
    explicit GA_VertexGroup(const GA_Detail& detail, const char* name = nullptr,
                            bool ordered = false)
        : GA_ElementGroup(detail, GA_ATTRIB_VERTEX, name, ordered)
    {
    }
    GA_VertexGroup(const GA_Detail& detail, const GA_VertexGroup& s) : GA_ElementGroup(detail, s) {}
};
class GA_EdgeGroup;

/// The groups of one kind of element.
class GA_ElementGroupTable
{
public:
    GA_ElementGroupTable(GA_Detail& detail, GA_AttributeOwner owner)
        : detail_(&detail), owner_(owner)
    {
    }
    GA_ElementGroup* find(const UT_StringRef& name) const;
    GA_ElementGroup* newGroup(const UT_StringRef& name) const;
    bool destroy(const UT_StringRef& name) const;
    int entries() const;
    /// False where there is none of the old name; one of the new name makes way.
    bool renameGroup(const UT_StringRef& old_name, const UT_StringHolder& new_name) const;

private:
    GA_Detail* detail_;
    GA_AttributeOwner owner_;
};
using GA_PointGroupTable = GA_ElementGroupTable;
using GA_PrimitiveGroupTable = GA_ElementGroupTable;
