#pragma once
#include <GA/GA_Types.h>

#include <memory>
#include <vector>

/// Which offsets are in use, and in what order. Copies share their tables until one changes.
class GA_IndexMap
{
public:
    GA_Size indexSize() const { return GA_Size(order().size()); }
    /// Offsets in storage, holes included.
    GA_Size offsetSize() const { return GA_Size(tables_->index_of.size()); }
    GA_Offset lastOffset() const { return offsetSize() - 1; }
    GA_Offset offsetFromIndex(GA_Index i) const;
    GA_Index indexFromOffset(GA_Offset offset) const;
    bool isOffsetActive(GA_Offset offset) const
    {
        return offset >= 0 && offset < offsetSize() && indexFromOffset(offset) >= 0;
    }
    bool isTrivialMap() const { return indexSize() == offsetSize(); }

    /// Appends n consecutive offsets; the first.
    GA_Offset append(GA_Size n);
    void destroy(const std::vector<GA_Offset>& offsets);
    void clear() { tables_ = std::make_shared<Tables>(); }
    /// Active offsets in index order.
    std::shared_ptr<const std::vector<GA_Offset>> shared_order() const
    {
        return {tables_, &tables_->offset_of};
    }
    bool same_tables(const GA_IndexMap& b) const { return tables_ == b.tables_; }

private:
    struct Tables {
        std::vector<GA_Offset> offset_of;
        std::vector<GA_Index> index_of; ///< −1 in holes
    };
    const std::vector<GA_Offset>& order() const { return tables_->offset_of; }
    Tables& own();
    std::shared_ptr<Tables> tables_ = std::make_shared<Tables>();
};
