#pragma once
#include <GA/GA_Types.h>

#include <memory>
#include <vector>

class GA_Detail;
class GEO_Primitive;

/// A primitive's vertices, by offset.
class GA_OffsetListRef
{
public:
    GA_OffsetListRef() = default;
    explicit GA_OffsetListRef(const std::vector<GA_Offset>& list) : list_(&list) {}
    GA_Size size() const { return list_ ? GA_Size(list_->size()) : 0; }
    GA_Size entries() const { return size(); }
    GA_Offset get(GA_Size i) const { return (*list_)[std::size_t(i)]; }
    GA_Offset operator()(GA_Size i) const { return get(i); }
    GA_Offset operator[](GA_Size i) const { return get(i); }
    bool getExtraFlag() const { return closed_; }
    GA_OffsetListRef& with_closed(bool closed)
    {
        closed_ = closed;
        return *this;
    }

private:
    const std::vector<GA_Offset>* list_ = nullptr;
    bool closed_ = false;
};

namespace standin
{
/// A primitive as stored; GA_Primitive objects are made from it when somebody asks for one.
struct PrimitiveData {
    GA_PrimitiveTypeId type;
    bool closed = false;
    std::vector<GA_Offset> vertices;
    std::vector<std::vector<int>> soup_polygons; ///< numbers in `vertices`
    std::shared_ptr<void> grid;                  ///< of volumes, shared between copies
};
} // namespace standin

class GA_Primitive
{
public:
    GA_Primitive(GA_Detail& detail, GA_Offset offset) : detail_(&detail), offset_(offset) {}
    virtual ~GA_Primitive() = default;
    GA_Primitive(const GA_Primitive&) = delete;
    GA_Primitive& operator=(const GA_Primitive&) = delete;

    GA_PrimitiveTypeId getTypeId() const;
    const GA_PrimitiveDefinition& getTypeDef() const;
    const UT_StringHolder& getTypeName() const { return getTypeDef().getToken(); }
    GA_Size getVertexCount() const;
    GA_Offset getVertexOffset(GA_Size i) const;
    GA_OffsetListRef getVertexList() const;
    GA_Offset getPointOffset(GA_Size i) const;
    GA_Index getPointIndex(GA_Size i) const;
    GA_Offset getMapOffset() const { return offset_; }
    GA_Index getMapIndex() const;
    GA_Index getNum() const { return getMapIndex(); }
    GA_Detail& getDetail() const { return *detail_; }
    const GA_Detail& getParent() const { return *detail_; }

protected:
    const standin::PrimitiveData& data() const;
    standin::PrimitiveData& own_data();
    GA_Detail* detail_;
    GA_Offset offset_;
};

namespace standin
{
/// Makes the objects of a type whose header brings a library of its own; that header sets it.
using PrimitiveMaker = std::unique_ptr<GA_Primitive> (*)(GA_Detail& detail, GA_Offset offset);
PrimitiveMaker& volume_maker();
} // namespace standin
