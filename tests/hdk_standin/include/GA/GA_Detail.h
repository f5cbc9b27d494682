#pragma once
#include <GA/GA_AttributeRef.h>
#include <GA/GA_ElementGroup.h>
#include <GA/GA_IndexMap.h>
#include <GA/GA_Primitive.h>
#include <GA/GA_Range.h>
#include <GA/GA_Topology.h>
#include <UT/UT_Options.h>
#include <UT/UT_Vector3.h>
#include <UT/UT_Vector4.h>

#include <list>
#include <map>
#include <mutex>

class GA_AttributeOptions;
class GEO_Primitive;

/// Attributes of one owner, in order of creation.
class GA_AttributeDict
{
public:
    class iterator
    {
    public:
        explicit iterator(const std::vector<std::unique_ptr<GA_Attribute>>& list) : list_(&list) {}
        bool atEnd() const { return at_ >= list_->size(); }
        iterator& operator++()
        {
            ++at_;
            return *this;
        }
        void advance() { ++at_; }
        GA_Attribute* attrib() const { return (*list_)[at_].get(); }
        GA_Attribute* operator*() const { return attrib(); }
        const char* name() const { return attrib()->getName().c_str(); }

    private:
        const std::vector<std::unique_ptr<GA_Attribute>>* list_;
        std::size_t at_ = 0;
    };
    using ordered_iterator = iterator;
    iterator begin(GA_AttributeScope = GA_SCOPE_PUBLIC) const { return iterator(list_); }
    iterator obegin(GA_AttributeScope = GA_SCOPE_PUBLIC) const { return iterator(list_); }
    int entries() const { return int(list_.size()); }

private:
    friend class GA_Detail;
    friend class GA_AttributeSet;
    std::vector<std::unique_ptr<GA_Attribute>> list_;
};

/// All attributes of a detail.
class GA_AttributeSet
{
public:
    explicit GA_AttributeSet(GA_Detail& detail) : detail_(&detail) {}
    const GA_AttributeDict& getDict(GA_AttributeOwner owner) const { return dicts_[owner]; }
    GA_Attribute* findAttribute(GA_AttributeOwner owner, const UT_StringRef& name) const;
    /// A new attribute like the source, with default values; replaces one of that name.
    GA_Attribute* cloneAttribute(GA_AttributeOwner owner, const UT_StringHolder& name,
                                 const GA_Attribute& source, bool clone_options,
                                 bool clone_defaults = true);
    bool destroyAttribute(GA_AttributeOwner owner, const UT_StringRef& name);
    void bumpAllDataIds(GA_AttributeOwner owner);

private:
    friend class GA_Detail;
    GA_Detail* detail_;
    GA_AttributeDict dicts_[GA_ATTRIB_OWNER_N];
};

/// Access to primitives by offset.
class GA_PrimitiveList
{
public:
    explicit GA_PrimitiveList(GA_Detail& detail);
    GA_Primitive* get(GA_Offset offset) const;
    GA_DataId getDataId() const { return id_; }
    void bumpDataId();
    void copy_id(const GA_PrimitiveList& b) { id_ = b.id_; }

private:
    GA_Detail* detail_;
    GA_DataId id_ = 0;
};

/// Points, vertices, primitives, attributes and groups.
class GA_Detail
{
public:
    explicit GA_Detail(bool full = true);
    virtual ~GA_Detail();
    GA_Detail(const GA_Detail&) = delete;
    GA_Detail& operator=(const GA_Detail&) = delete;

    // Elements.
    GA_Size getNumPoints() const { return points_.indexSize(); }
    GA_Size getNumVertices() const { return vertices_.indexSize(); }
    GA_Size getNumPrimitives() const { return primitives_.indexSize(); }
    GA_Size getNumPointOffsets() const { return points_.offsetSize(); }
    GA_Size getNumVertexOffsets() const { return vertices_.offsetSize(); }
    GA_Size getNumPrimitiveOffsets() const { return primitives_.offsetSize(); }
    bool isEmpty() const { return getNumPoints() == 0 && getNumPrimitives() == 0; }
    const GA_IndexMap& getIndexMap(GA_AttributeOwner owner) const;
    const GA_IndexMap& getPointMap() const { return points_; }
    const GA_IndexMap& getPrimitiveMap() const { return primitives_; }
    const GA_IndexMap& getVertexMap() const { return vertices_; }
    GA_Offset pointOffset(GA_Index i) const { return points_.offsetFromIndex(i); }
    GA_Index pointIndex(GA_Offset o) const { return points_.indexFromOffset(o); }
    GA_Offset primitiveOffset(GA_Index i) const { return primitives_.offsetFromIndex(i); }
    GA_Index primitiveIndex(GA_Offset o) const { return primitives_.indexFromOffset(o); }
    GA_Offset vertexOffset(GA_Index i) const { return vertices_.offsetFromIndex(i); }
    GA_Index vertexIndex(GA_Offset o) const { return vertices_.indexFromOffset(o); }
    GA_Offset vertexPoint(GA_Offset v) const { return (*vertex_point_)[std::size_t(v)]; }
    GA_Offset vertexPrimitive(GA_Offset v) const;
    GA_Topology& getTopology() { return topology_; }
    const GA_Topology& getTopology() const { return topology_; }
    GA_PrimitiveList& getPrimitiveList() { return primitive_list_; }
    const GA_PrimitiveList& getPrimitiveList() const { return primitive_list_; }
    GA_Primitive* getPrimitive(GA_Offset o) { return primitive_list_.get(o); }
    const GA_Primitive* getPrimitive(GA_Offset o) const { return primitive_list_.get(o); }
    GA_Primitive* getPrimitiveByIndex(GA_Index i) { return getPrimitive(primitiveOffset(i)); }
    const GA_Primitive* getPrimitiveByIndex(GA_Index i) const
    {
        return getPrimitive(primitiveOffset(i));
    }
    GA_PrimitiveTypeId getPrimitiveTypeId(GA_Offset o) const { return primitive(o).type; }
    GA_Size getPrimitiveVertexCount(GA_Offset o) const
    {
        return GA_Size(primitive(o).vertices.size());
    }
    GA_OffsetListRef getPrimitiveVertexList(GA_Offset o) const
    {
        return GA_OffsetListRef(primitive(o).vertices).with_closed(primitive(o).closed);
    }
    GA_Offset getPrimitiveVertexOffset(GA_Offset o, GA_Size i) const
    {
        return primitive(o).vertices[std::size_t(i)];
    }
    bool getPrimitiveClosedFlag(GA_Offset o) const { return primitive(o).closed; }
    GA_Size countPrimitiveType(const GA_PrimitiveTypeId& type) const;
    bool containsPrimitiveType(const GA_PrimitiveTypeId& type) const
    {
        return countPrimitiveType(type) > 0;
    }

    GA_Offset appendPoint() { return appendPointOffset(); }
    GA_Offset appendPointOffset() { return appendPointBlock(1); }
    GA_Offset appendPointBlock(GA_Size n);
    GA_Offset appendVertexBlock(GA_Size n);
    GA_Offset appendPrimitiveOffset(const GA_PrimitiveTypeId& type);
    GA_Primitive* appendPrimitive(const GA_PrimitiveTypeId& type)
    {
        return getPrimitive(appendPrimitiveOffset(type));
    }
    /// One block of primitives with equal vertex counts, vertices one after the other.
    GA_Offset appendPrimitivesAndVertices(const GA_PrimitiveTypeId& type, GA_Size count,
                                          GA_Size vertices_each, GA_Offset& start_vertex,
                                          bool closed = false);
    bool destroyPointOffset(GA_Offset point); ///< refused while a vertex uses it
    bool destroyPoint(GA_Offset point) { return destroyPointOffset(point); }
    /// Leaves holes: offsets of the rest do not move.
    bool destroyPrimitiveOffset(GA_Offset primitive, bool and_points = false);
    bool destroyPrimitive(GA_Primitive& p, bool and_points = false)
    {
        return destroyPrimitiveOffset(p.getMapOffset(), and_points);
    }
    void clearAndDestroy();
    /// As clearAndDestroy; the HDK keeps the primitives at hand until destroyStashed.
    void stashAll() { clearAndDestroy(); }
    void destroyStashed() {}
    void destroyPoints(const GA_Range& points)
    {
        for (GA_Iterator it(points); !it.atEnd(); ++it) destroyPointOffset(*it);
    }
    void destroyPrimitives(const GA_Range& primitives, bool and_points = false)
    {
        for (GA_Iterator it(primitives); !it.atEnd(); ++it) destroyPrimitiveOffset(*it, and_points);
    }
    void clear() { clearAndDestroy(); }
    /// Takes over everything, offsets, holes and data ids included; pages are shared.
    void replaceWith(const GA_Detail& source);
    void replaceWithPoints(const GA_Detail& source);

    GA_Range getPointRange(const GA_PointGroup* group = nullptr) const;
    GA_Range getPrimitiveRange(const GA_PrimitiveGroup* group = nullptr) const;
    GA_Range getVertexRange(const GA_VertexGroup* group = nullptr) const;
    GA_Range getGlobalRange() const;

    // Attributes.
    GA_AttributeSet& getAttributes() { return attributes_; }
    const GA_AttributeSet& getAttributes() const { return attributes_; }
    const GA_AttributeDict& getAttributeDict(GA_AttributeOwner owner) const
    {
        return attributes_.getDict(owner);
    }
    const GA_AttributeDict& pointAttribs() const { return attributes_.dicts_[GA_ATTRIB_POINT]; }
    const GA_AttributeDict& vertexAttribs() const { return attributes_.dicts_[GA_ATTRIB_VERTEX]; }
    const GA_AttributeDict& primitiveAttribs() const
    {
        return attributes_.dicts_[GA_ATTRIB_PRIMITIVE];
    }
    const GA_AttributeDict& attribs() const { return attributes_.dicts_[GA_ATTRIB_GLOBAL]; }
    GA_Attribute* getP() { return P_; }
    const GA_Attribute* getP() const { return P_; }
    GA_Attribute* findAttribute(GA_AttributeOwner owner, const UT_StringRef& name)
    {
        return attributes_.findAttribute(owner, name);
    }
    const GA_Attribute* findAttribute(GA_AttributeOwner owner, const UT_StringRef& name) const
    {
        return attributes_.findAttribute(owner, name);
    }
#define STANDIN_FIND(NAME, OWNER)                                                                  \
    GA_Attribute* NAME(const UT_StringRef& name) { return findAttribute(OWNER, name); }            \
    const GA_Attribute* NAME(const UT_StringRef& name) const { return findAttribute(OWNER, name); }
    STANDIN_FIND(findPointAttribute, GA_ATTRIB_POINT)
    STANDIN_FIND(findVertexAttribute, GA_ATTRIB_VERTEX)
    STANDIN_FIND(findPrimitiveAttribute, GA_ATTRIB_PRIMITIVE)
    STANDIN_FIND(findGlobalAttribute, GA_ATTRIB_GLOBAL)
#undef STANDIN_FIND
    /// Null where the name is missing, of another class, or has too few or many components.
    GA_Attribute* find_tuple(GA_AttributeOwner owner, const UT_StringRef& name, GA_StorageClass c,
                             int min_size, int max_size) const;
#define STANDIN_TUPLE(FIND, CLASS)                                                                 \
    GA_Attribute* FIND(GA_AttributeOwner owner, const UT_StringRef& name, int min_size = 1,        \
                       int max_size = -1)                                                          \
    {                                                                                              \
        return find_tuple(owner, name, CLASS, min_size, max_size);                                 \
    }                                                                                              \
    const GA_Attribute* FIND(GA_AttributeOwner owner, const UT_StringRef& name, int min_size = 1,  \
                             int max_size = -1) const                                              \
    {                                                                                              \
        return find_tuple(owner, name, CLASS, min_size, max_size);                                 \
    }
    STANDIN_TUPLE(findFloatTuple, GA_STORECLASS_REAL)
    STANDIN_TUPLE(findIntTuple, GA_STORECLASS_INT)
    STANDIN_TUPLE(findStringTuple, GA_STORECLASS_STRING)
    STANDIN_TUPLE(findNumericTuple, GA_STORECLASS_OTHER)
#undef STANDIN_TUPLE
    /// Adding finds one that fits and keeps its values; one that does not fit is replaced.
    GA_Attribute* addTuple(GA_Storage storage, GA_AttributeOwner owner, const UT_StringHolder& name,
                           int tuple_size, const GA_Defaults& defaults = GA_Defaults(0.0),
                           const UT_Options* creation = nullptr,
                           const GA_AttributeOptions* options = nullptr);
    GA_Attribute* addFloatTuple(GA_AttributeOwner owner, const UT_StringHolder& name,
                                int tuple_size, const GA_Defaults& defaults = GA_Defaults(0.0),
                                const UT_Options* creation = nullptr,
                                const GA_AttributeOptions* options = nullptr,
                                GA_Storage storage = GA_STORE_REAL32)
    {
        return addTuple(storage, owner, name, tuple_size, defaults, creation, options);
    }
    GA_Attribute* addIntTuple(GA_AttributeOwner owner, const UT_StringHolder& name, int tuple_size,
                              const GA_Defaults& defaults = GA_Defaults(0.0),
                              const UT_Options* creation = nullptr,
                              const GA_AttributeOptions* options = nullptr,
                              GA_Storage storage = GA_STORE_INT32)
    {
        return addTuple(storage, owner, name, tuple_size, defaults, creation, options);
    }
    GA_Attribute* addStringTuple(GA_AttributeOwner owner, const UT_StringHolder& name,
                                 int tuple_size)
    {
        return addTuple(GA_STORE_STRING, owner, name, tuple_size);
    }
    bool destroyAttribute(GA_AttributeOwner owner, const UT_StringRef& name)
    {
        return attributes_.destroyAttribute(owner, name);
    }
    bool renameAttribute(GA_AttributeOwner owner, const UT_StringRef& from,
                         const UT_StringHolder& to);
    bool destroyPrimAttrib(const UT_StringRef& name)
    {
        return destroyAttribute(GA_ATTRIB_PRIMITIVE, name);
    }
    bool destroyVertexAttrib(const UT_StringRef& name)
    {
        return destroyAttribute(GA_ATTRIB_VERTEX, name);
    }
    bool destroyPointAttrib(const UT_StringRef& name)
    {
        return destroyAttribute(GA_ATTRIB_POINT, name);
    }

    // Positions.
    UT_Vector3 getPos3(GA_Offset o) const
    {
        return UT_Vector3(fpreal32(P_->number(o, 0)), fpreal32(P_->number(o, 1)),
                          fpreal32(P_->number(o, 2)));
    }
    UT_Vector3D getPos3D(GA_Offset o) const
    {
        return UT_Vector3D(P_->number(o, 0), P_->number(o, 1), P_->number(o, 2));
    }
    UT_Vector4 getPos4(GA_Offset o) const { return UT_Vector4(getPos3(o)); }
    void setPos3(GA_Offset o, const UT_Vector3D& p)
    {
        for (unsigned c = 0; c < 3; ++c) P_->set_number(o, int(c), p[c]);
    }
    void setPos3(GA_Offset o, const UT_Vector3& p) { setPos3(o, UT_Vector3D(p)); }
    void setPos3(GA_Offset o, fpreal x, fpreal y, fpreal z) { setPos3(o, UT_Vector3D(x, y, z)); }
    void setPos4(GA_Offset o, const UT_Vector4& p) { setPos3(o, UT_Vector3(p)); }

    // Groups.
    GA_PointGroup* newPointGroup(const UT_StringRef& name, bool ordered = false);
    GA_PrimitiveGroup* newPrimitiveGroup(const UT_StringRef& name, bool ordered = false);
    GA_VertexGroup* newVertexGroup(const UT_StringRef& name, bool ordered = false);
    GA_PointGroup* findPointGroup(const UT_StringRef& name) const;
    GA_PrimitiveGroup* findPrimitiveGroup(const UT_StringRef& name) const;
    GA_VertexGroup* findVertexGroup(const UT_StringRef& name) const;
    bool destroyPointGroup(GA_PointGroup* group);
    bool destroyPrimitiveGroup(GA_PrimitiveGroup* group);
    bool destroyVertexGroup(GA_VertexGroup* group);
    bool destroyPointGroup(const UT_StringRef& name)
    {
        return destroyPointGroup(findPointGroup(name));
    }
    bool destroyPrimitiveGroup(const UT_StringRef& name)
    {
        return destroyPrimitiveGroup(findPrimitiveGroup(name));
    }
    GA_ElementGroupTable getElementGroupTable(GA_AttributeOwner owner)
    {
        return GA_ElementGroupTable(*this, owner);
    }
    GA_PointGroupTable pointGroups() { return getElementGroupTable(GA_ATTRIB_POINT); }
    GA_PrimitiveGroupTable primitiveGroups() { return getElementGroupTable(GA_ATTRIB_PRIMITIVE); }
    int group_count(GA_AttributeOwner owner) const;
    const std::list<GA_PointGroup>& point_groups() const { return point_groups_; }
    const std::list<GA_PrimitiveGroup>& primitive_groups() const { return primitive_groups_; }

    // Data ids.
    void bumpAllDataIds();
    void bumpDataIdsForAddOrRemove(bool points, bool vertices, bool primitives);
    int64 getUniqueId() const { return unique_id_; }
    int64 getMetaCacheCount() const { return meta_count_; }
    void incrementMetaCacheCount() { ++meta_count_; }
    int64 getMemoryUsage(bool inclusive) const;

    const standin::PrimitiveData& primitive(GA_Offset o) const
    {
        return (*primitive_data_)[std::size_t(o)];
    }
    standin::PrimitiveData& own_primitive(GA_Offset o);
    void wire(GA_Offset vertex, GA_Offset point);

private:
    friend class GA_PrimitiveList;
    friend class GA_AttributeSet;
    GA_Attribute* add_attribute(GA_AttributeOwner owner, std::unique_ptr<GA_Attribute> attribute);
    void grow(GA_AttributeOwner owner);
    GA_IndexMap& map(GA_AttributeOwner owner);

    GA_IndexMap points_, vertices_, primitives_, globals_;
    std::shared_ptr<std::vector<GA_Offset>> vertex_point_;
    std::shared_ptr<std::vector<standin::PrimitiveData>> primitive_data_;
    mutable std::vector<std::unique_ptr<GA_Primitive>> primitive_objects_;
    mutable std::mutex primitive_objects_mutex_;
    GA_Topology topology_;
    GA_PrimitiveList primitive_list_;
    GA_AttributeSet attributes_;
    GA_Attribute* P_ = nullptr;
    std::list<GA_PointGroup> point_groups_;
    std::list<GA_PrimitiveGroup> primitive_groups_;
    std::list<GA_VertexGroup> vertex_groups_;
    int64 unique_id_, meta_count_ = 0;
};
