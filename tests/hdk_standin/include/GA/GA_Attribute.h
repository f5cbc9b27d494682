#pragma once
#include <GA/GA_Defaults.h>
#include <GA/GA_Types.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

class GA_AIFMath;
class GA_AIFSharedStringTuple;
class GA_AIFTuple;
class GA_Detail;
class GA_IndexMap;
class GA_Range;

/// A named column of values, stored in pages of 1024 offsets. Copies share pages until written.
class GA_Attribute
{
public:
    GA_Attribute(GA_Detail& detail, GA_AttributeOwner owner, const UT_StringHolder& name,
                 GA_Storage storage, int tuple_size, const GA_Defaults& defaults);
    GA_Attribute(GA_Detail& detail, const GA_Attribute& source);

    const UT_StringHolder& getName() const { return name_; }
    void rename(const UT_StringHolder& name) { name_ = name; }
    const UT_StringHolder& getFullName() const { return name_; }
    GA_AttributeOwner getOwner() const { return owner_; }
    GA_AttributeScope getScope() const { return GA_SCOPE_PUBLIC; }
    int getTupleSize() const { return tuple_; }
    GA_StorageClass getStorageClass() const { return GAstorageClass(storage_); }
    GA_TypeInfo getTypeInfo() const { return type_; }
    void setTypeInfo(GA_TypeInfo type) { type_ = type; }
    bool needsTransform() const
    {
        return type_ == GA_TYPE_POINT || type_ == GA_TYPE_VECTOR || type_ == GA_TYPE_NORMAL;
    }
    GA_DataId getDataId() const { return data_id_; }
    void bumpDataId();
    void cloneDataId(const GA_Attribute& source) { data_id_ = source.data_id_; }
    GA_Detail& getDetail() const { return *detail_; }
    const GA_IndexMap& getIndexMap() const;
    int64 getMemoryUsage(bool /*inclusive*/) const;

    const GA_AIFTuple* getAIFTuple() const;                         ///< null for strings
    const GA_AIFMath* getAIFMath() const;                           ///< null for strings
    const GA_AIFSharedStringTuple* getAIFSharedStringTuple() const; ///< null for numbers

    /// Copies values at all of this attribute's elements from the source's, offset by offset.
    bool replace(const GA_Attribute& source);
    void copy(GA_Offset to, const GA_Attribute& source, GA_Offset from);

    // What handles are made of.
    GA_Storage storage() const { return storage_; }
    bool set_storage(GA_Storage storage); ///< of numbers; values are converted
    fpreal number(GA_Offset offset, int component) const;
    void set_number(GA_Offset offset, int component, fpreal value);
    int64 integer(GA_Offset offset, int component) const;
    void set_integer(GA_Offset offset, int component, int64 value);
    const UT_StringHolder& text(GA_Offset offset, int component) const;
    void set_text(GA_Offset offset, int component, const UT_StringHolder& value);
    /// Bytes of an element; the writing one makes the page this attribute's own first.
    const unsigned char* bytes(GA_Offset offset) const
    {
        return pages_[std::size_t(offset >> GA_PAGE_BITS)].get() +
               std::size_t(offset & (GA_PAGE_SIZE - 1)) * element_bytes_;
    }
    unsigned char* own_bytes(GA_Offset offset);
    void grow(GA_Size offsets); ///< to this many; new elements have default values
    void clear() { pages_.clear(); }
    bool shares_page(const GA_Attribute& b, GA_Offset offset) const;

private:
    using Page = std::shared_ptr<unsigned char[]>;
    Page default_page() const;

    GA_Detail* detail_;
    GA_AttributeOwner owner_;
    UT_StringHolder name_;
    GA_Storage storage_;
    int tuple_;
    std::size_t element_bytes_;
    GA_Defaults defaults_;
    GA_TypeInfo type_ = GA_TYPE_VOID;
    GA_DataId data_id_;
    std::vector<Page> pages_;
    std::shared_ptr<std::vector<UT_StringHolder>> strings_; ///< of text attributes
};
