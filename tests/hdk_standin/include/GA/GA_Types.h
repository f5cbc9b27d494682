#pragma once
#include <SYS/SYS_Types.h>
#include <UT/UT_StringHolder.h>

using GA_Size = exint;
using GA_Index = exint;  ///< position in the order of elements, without holes
using GA_Offset = exint; ///< position in storage; holes stay where elements were destroyed
using GA_DataId = int64;

#define GA_INVALID_OFFSET GA_Offset(-1)
#define GA_INVALID_INDEX GA_Index(-1)
#define GA_INVALID_DATAID GA_DataId(-1)
#define GA_PAGE_BITS 10
#define GA_PAGE_SIZE (1 << GA_PAGE_BITS)

inline bool GAisValid(exint offset_or_index) { return offset_or_index >= 0; }

enum GA_AttributeOwner {
    GA_ATTRIB_INVALID = -1,
    GA_ATTRIB_VERTEX = 0,
    GA_ATTRIB_POINT,
    GA_ATTRIB_PRIMITIVE,
    GA_ATTRIB_GLOBAL,
    GA_ATTRIB_DETAIL = GA_ATTRIB_GLOBAL,
    GA_ATTRIB_OWNER_N
};

enum GA_Storage {
    GA_STORE_INVALID = -1,
    GA_STORE_BOOL,
    GA_STORE_UINT8,
    GA_STORE_INT8,
    GA_STORE_INT16,
    GA_STORE_INT32,
    GA_STORE_INT64,
    GA_STORE_REAL16,
    GA_STORE_REAL32,
    GA_STORE_REAL64,
    GA_STORE_STRING,
    GA_STORE_DICT
};
enum GA_StorageClass {
    GA_STORECLASS_INVALID = -1,
    GA_STORECLASS_INT,
    GA_STORECLASS_REAL,
    GA_STORECLASS_FLOAT = GA_STORECLASS_REAL,
    GA_STORECLASS_STRING,
    GA_STORECLASS_DICT,
    GA_STORECLASS_OTHER
};
enum GA_TypeInfo {
    GA_TYPE_INVALID = -1,
    GA_TYPE_VOID,
    GA_TYPE_ARITHMETIC_INTEGER,
    GA_TYPE_NONARITHMETIC_INTEGER,
    GA_TYPE_POINT,
    GA_TYPE_HPOINT,
    GA_TYPE_VECTOR,
    GA_TYPE_NORMAL,
    GA_TYPE_COLOR,
    GA_TYPE_TRANSFORM,
    GA_TYPE_QUATERNION,
    GA_TYPE_ST,
    GA_TYPE_BOX
};
enum GA_AttributeScope { GA_SCOPE_INVALID, GA_SCOPE_PRIVATE, GA_SCOPE_PUBLIC, GA_SCOPE_GROUP };
enum GA_GroupType {
    GA_GROUP_INVALID = -1,
    GA_GROUP_POINT,
    GA_GROUP_PRIMITIVE,
    GA_GROUP_EDGE,
    GA_GROUP_BREAKPOINT,
    GA_GROUP_VERTEX,
    GA_GROUP_N
};

class GA_PrimitiveTypeId
{
public:
    constexpr explicit GA_PrimitiveTypeId(int id = -1) : id_(id) {}
    constexpr int get() const { return id_; }
    constexpr bool isValid() const { return id_ >= 0; }
    constexpr bool operator==(const GA_PrimitiveTypeId& b) const { return id_ == b.id_; }
    constexpr bool operator!=(const GA_PrimitiveTypeId& b) const { return id_ != b.id_; }
    constexpr bool operator<(const GA_PrimitiveTypeId& b) const { return id_ < b.id_; }

private:
    int id_;
};

#define STANDIN_PRIMITIVE_TYPES(X)                                                                 \
    X(NONE, "None")                                                                                \
    X(POLY, "Poly")                                                                                \
    X(NURBCURVE, "NURBCurve")                                                                      \
    X(BEZCURVE, "BezierCurve")                                                                     \
    X(MESH, "Mesh")                                                                                \
    X(NURBSURF, "NURBMesh")                                                                        \
    X(BEZSURF, "BezierMesh")                                                                       \
    X(SPHERE, "Sphere")                                                                            \
    X(TUBE, "Tube")                                                                                \
    X(CIRCLE, "Circle")                                                                            \
    X(METABALL, "MetaBall")                                                                        \
    X(VOLUME, "Volume")                                                                            \
    X(VDB, "VDB")                                                                                  \
    X(POLYSOUP, "PolySoup")                                                                        \
    X(TETRAHEDRON, "Tetrahedron")                                                                  \
    X(PACKEDGEO, "PackedGeometry")

namespace standin
{
enum PrimitiveTypeNumber {
#define X(name, token) type_##name,
    STANDIN_PRIMITIVE_TYPES(X)
#undef X
        primitive_type_count
};
} // namespace standin
#define X(name, token)                                                                             \
    inline constexpr GA_PrimitiveTypeId GA_PRIM##name{standin::type_##name};                       \
    inline constexpr GA_PrimitiveTypeId GEO_PRIM##name{standin::type_##name};
STANDIN_PRIMITIVE_TYPES(X)
#undef X

/// What a primitive type is called.
class GA_PrimitiveDefinition
{
public:
    explicit GA_PrimitiveDefinition(const char* token) : token_(token) {}
    const UT_StringHolder& getToken() const { return token_; }
    const UT_StringHolder& getLabel() const { return token_; }

private:
    UT_StringHolder token_;
};

inline GA_StorageClass GAstorageClass(GA_Storage s)
{
    return s == GA_STORE_STRING   ? GA_STORECLASS_STRING
           : s == GA_STORE_DICT   ? GA_STORECLASS_DICT
           : s >= GA_STORE_REAL16 ? GA_STORECLASS_REAL
                                  : GA_STORECLASS_INT;
}
