#pragma once
#include <UT/UT_Array.h>
#include <UT/UT_StringHolder.h>

#include <list>

/// The tree behind a node's info window: named branches with columns and rows of text.
class UT_InfoTree
{
public:
    UT_InfoTree* addChildMap(const UT_StringHolder& name) { return addChildBranch(name); }
    UT_InfoTree* addChildBranch(const UT_StringHolder& name)
    {
        children_.emplace_back();
        children_.back().name_ = name;
        return &children_.back();
    }
    UT_InfoTree* getDescendentPtr(const UT_StringHolder& name)
    {
        for (UT_InfoTree& c : children_)
            if (c.name_ == name) return &c;
        return nullptr;
    }
    template <class V> void addProperties(const UT_StringHolder& label, const V& value)
    {
        rows_.append({label, text_of(value)});
    }
    void addColumnHeading(const UT_StringHolder&) {}
    const UT_StringHolder& getName() const { return name_; }
    const UT_Array<UT_Array<UT_StringHolder>>& rows() const { return rows_; }

private:
    static UT_StringHolder text_of(const UT_StringHolder& s) { return s; }
    static UT_StringHolder text_of(const char* s) { return s; }
    template <class V> static UT_StringHolder text_of(V v)
    {
        return UT_StringHolder(std::to_string(v));
    }
    UT_StringHolder name_;
    UT_Array<UT_Array<UT_StringHolder>> rows_;
    std::list<UT_InfoTree> children_;
};
