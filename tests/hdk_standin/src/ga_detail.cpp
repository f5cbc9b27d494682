#include <GA/GA_Detail.h>
#include <GEO/GEO_PrimPoly.h>
#include <GEO/GEO_PrimPolySoup.h>
#include <GEO/GEO_PrimTetrahedron.h>
#include <GU/GU_PrimPoly.h>
#include <UT/UT_Assert.h>

#include <atomic>

namespace standin
{
GA_DataId new_data_id();
}

void GA_ATITopology::bumpDataId() { id_ = standin::new_data_id(); }
void GA_Topology::wireVertexPoint(GA_Offset v, GA_Offset p) { detail_->wire(v, p); }
GA_Offset GA_Topology::vertexPoint(GA_Offset v) const { return detail_->vertexPoint(v); }

GA_PrimitiveList::GA_PrimitiveList(GA_Detail& detail) : detail_(&detail) { bumpDataId(); }
void GA_PrimitiveList::bumpDataId() { id_ = standin::new_data_id(); }

GA_Primitive* GA_PrimitiveList::get(GA_Offset o) const
{
    GA_Detail& d = *detail_;
    const std::lock_guard<std::mutex> lock(d.primitive_objects_mutex_);
    if (d.primitive_objects_.size() <= std::size_t(o))
        d.primitive_objects_.resize(d.primitive_data_->size());
    std::unique_ptr<GA_Primitive>& slot = d.primitive_objects_[std::size_t(o)];
    if (!slot) {
        const GA_PrimitiveTypeId type = d.primitive(o).type;
        if (type == GA_PRIMPOLY)
            slot = std::make_unique<GU_PrimPoly>(d, o);
        else if (type == GA_PRIMPOLYSOUP)
            slot = std::make_unique<GEO_PrimPolySoup>(d, o);
        else if (type == GA_PRIMTETRAHEDRON)
            slot = std::make_unique<GEO_PrimTetrahedron>(d, o);
        else if (type == GA_PRIMVDB && standin::volume_maker())
            slot = standin::volume_maker()(d, o);
        else
            slot = std::make_unique<GEO_Primitive>(d, o);
    }
    return slot.get();
}

GA_Detail::GA_Detail(bool)
    : vertex_point_(std::make_shared<std::vector<GA_Offset>>()),
      primitive_data_(std::make_shared<std::vector<standin::PrimitiveData>>()),
      topology_(*this),
      primitive_list_(*this),
      attributes_(*this)
{
    static std::atomic<int64> next{1};
    unique_id_ = next++;
    globals_.append(1);
    P_ = addTuple(GA_STORE_REAL32, GA_ATTRIB_POINT, "P", 3);
    P_->setTypeInfo(GA_TYPE_POINT);
}
GA_Detail::~GA_Detail() = default;

GA_IndexMap& GA_Detail::map(GA_AttributeOwner owner)
{
    return owner == GA_ATTRIB_POINT       ? points_
           : owner == GA_ATTRIB_VERTEX    ? vertices_
           : owner == GA_ATTRIB_PRIMITIVE ? primitives_
                                          : globals_;
}
const GA_IndexMap& GA_Detail::getIndexMap(GA_AttributeOwner owner) const
{
    return const_cast<GA_Detail*>(this)->map(owner);
}

void GA_Detail::grow(GA_AttributeOwner owner)
{
    for (const auto& a : attributes_.dicts_[owner].list_) a->grow(map(owner).offsetSize());
}

GA_Offset GA_Detail::vertexPrimitive(GA_Offset v) const
{
    for (GA_Iterator it(getPrimitiveRange()); !it.atEnd(); ++it)
        for (const GA_Offset own : primitive(*it).vertices)
            if (own == v) return *it;
    return GA_INVALID_OFFSET;
}

GA_Size GA_Detail::countPrimitiveType(const GA_PrimitiveTypeId& type) const
{
    GA_Size n = 0;
    for (GA_Iterator it(getPrimitiveRange()); !it.atEnd(); ++it) n += primitive(*it).type == type;
    return n;
}

GA_Offset GA_Detail::appendPointBlock(GA_Size n)
{
    const GA_Offset first = points_.append(n);
    grow(GA_ATTRIB_POINT);
    return first;
}

GA_Offset GA_Detail::appendVertexBlock(GA_Size n)
{
    const GA_Offset first = vertices_.append(n);
    if (vertex_point_.use_count() > 1)
        vertex_point_ = std::make_shared<std::vector<GA_Offset>>(*vertex_point_);
    vertex_point_->resize(std::size_t(first + n), GA_INVALID_OFFSET);
    grow(GA_ATTRIB_VERTEX);
    return first;
}

GA_Offset GA_Detail::appendPrimitiveOffset(const GA_PrimitiveTypeId& type)
{
    const GA_Offset o = primitives_.append(1);
    if (primitive_data_.use_count() > 1)
        primitive_data_ = std::make_shared<std::vector<standin::PrimitiveData>>(*primitive_data_);
    primitive_data_->push_back({type, type == GA_PRIMPOLY, {}, {}, nullptr});
    grow(GA_ATTRIB_PRIMITIVE);
    return o;
}

GA_Offset GA_Detail::appendPrimitivesAndVertices(const GA_PrimitiveTypeId& type, GA_Size count,
                                                 GA_Size each, GA_Offset& start_vertex, bool closed)
{
    start_vertex = appendVertexBlock(count * each);
    GA_Offset first = GA_INVALID_OFFSET;
    for (GA_Size i = 0; i < count; ++i) {
        const GA_Offset o = appendPrimitiveOffset(type);
        if (i == 0) first = o;
        standin::PrimitiveData& p = own_primitive(o);
        p.closed = closed;
        for (GA_Size k = 0; k < each; ++k) p.vertices.push_back(start_vertex + i * each + k);
    }
    return first;
}

standin::PrimitiveData& GA_Detail::own_primitive(GA_Offset o)
{
    if (primitive_data_.use_count() > 1)
        primitive_data_ = std::make_shared<std::vector<standin::PrimitiveData>>(*primitive_data_);
    return (*primitive_data_)[std::size_t(o)];
}

void GA_Detail::wire(GA_Offset v, GA_Offset p)
{
    if (vertex_point_.use_count() > 1)
        vertex_point_ = std::make_shared<std::vector<GA_Offset>>(*vertex_point_);
    (*vertex_point_)[std::size_t(v)] = p;
}

bool GA_Detail::destroyPointOffset(GA_Offset point)
{
    for (GA_Iterator it(getVertexRange()); !it.atEnd(); ++it)
        if (vertexPoint(*it) == point) return false;
    points_.destroy({point});
    for (GA_PointGroup& g : point_groups_) g.removeOffset(point);
    return true;
}

bool GA_Detail::destroyPrimitiveOffset(GA_Offset o, bool and_points)
{
    const std::vector<GA_Offset> own = primitive(o).vertices;
    std::vector<GA_Offset> points;
    for (const GA_Offset v : own) points.push_back(vertexPoint(v));
    vertices_.destroy(own);
    primitives_.destroy({o});
    own_primitive(o).vertices.clear();
    if (std::size_t(o) < primitive_objects_.size()) primitive_objects_[std::size_t(o)].reset();
    for (GA_PrimitiveGroup& g : primitive_groups_) g.removeOffset(o);
    if (and_points)
        for (const GA_Offset p : points)
            if (points_.isOffsetActive(p)) destroyPointOffset(p);
    return true;
}

void GA_Detail::clearAndDestroy()
{
    for (GA_AttributeDict& d : attributes_.dicts_) d.list_.clear();
    points_.clear();
    vertices_.clear();
    primitives_.clear();
    vertex_point_ = std::make_shared<std::vector<GA_Offset>>();
    primitive_data_ = std::make_shared<std::vector<standin::PrimitiveData>>();
    primitive_objects_.clear();
    point_groups_.clear();
    primitive_groups_.clear();
    vertex_groups_.clear();
    P_ = addTuple(GA_STORE_REAL32, GA_ATTRIB_POINT, "P", 3);
    P_->setTypeInfo(GA_TYPE_POINT);
    topology_.bumpAllDataIds();
    primitive_list_.bumpDataId();
}

void GA_Detail::replaceWith(const GA_Detail& s)
{
    if (&s == this) return;
    points_ = s.points_;
    vertices_ = s.vertices_;
    primitives_ = s.primitives_;
    vertex_point_ = s.vertex_point_;
    primitive_data_ = s.primitive_data_;
    primitive_objects_.clear();
    topology_.copy_ids(s.topology_);
    primitive_list_.copy_id(s.primitive_list_);
    for (int owner = 0; owner < GA_ATTRIB_OWNER_N; ++owner) {
        auto& mine = attributes_.dicts_[owner].list_;
        mine.clear();
        for (const auto& a : s.attributes_.dicts_[owner].list_)
            mine.push_back(std::make_unique<GA_Attribute>(*this, *a));
    }
    P_ = findAttribute(GA_ATTRIB_POINT, "P");
    point_groups_.clear();
    primitive_groups_.clear();
    vertex_groups_.clear();
    for (const GA_PointGroup& g : s.point_groups_) point_groups_.emplace_back(*this, g);
    for (const GA_PrimitiveGroup& g : s.primitive_groups_) primitive_groups_.emplace_back(*this, g);
    for (const GA_VertexGroup& g : s.vertex_groups_) vertex_groups_.emplace_back(*this, g);
    ++meta_count_;
}

void GA_Detail::replaceWithPoints(const GA_Detail& s)
{
    clearAndDestroy();
    points_ = s.points_;
    auto& mine = attributes_.dicts_[GA_ATTRIB_POINT].list_;
    mine.clear();
    for (const auto& a : s.attributes_.dicts_[GA_ATTRIB_POINT].list_)
        mine.push_back(std::make_unique<GA_Attribute>(*this, *a));
    P_ = findAttribute(GA_ATTRIB_POINT, "P");
}

GA_Range GA_Detail::getPointRange(const GA_PointGroup* g) const
{
    return g ? g->range() : GA_Range(points_);
}
GA_Range GA_Detail::getPrimitiveRange(const GA_PrimitiveGroup* g) const
{
    return g ? g->range() : GA_Range(primitives_);
}
GA_Range GA_Detail::getVertexRange(const GA_VertexGroup* g) const
{
    return g ? g->range() : GA_Range(vertices_);
}
GA_Range GA_Detail::getGlobalRange() const { return GA_Range(globals_); }

GA_Attribute* GA_Detail::add_attribute(GA_AttributeOwner owner, std::unique_ptr<GA_Attribute> a)
{
    a->grow(map(owner).offsetSize());
    attributes_.dicts_[owner].list_.push_back(std::move(a));
    return attributes_.dicts_[owner].list_.back().get();
}

GA_Attribute* GA_Detail::addTuple(GA_Storage storage, GA_AttributeOwner owner,
                                  const UT_StringHolder& name, int tuple_size,
                                  const GA_Defaults& defaults, const UT_Options*,
                                  const GA_AttributeOptions*)
{
    if (GA_Attribute* old = findAttribute(owner, name)) {
        if (old->getStorageClass() == GAstorageClass(storage) && old->getTupleSize() == tuple_size)
            return old;
        destroyAttribute(owner, name);
    }
    return add_attribute(
        owner, std::make_unique<GA_Attribute>(*this, owner, name, storage, tuple_size, defaults));
}

GA_Attribute* GA_Detail::find_tuple(GA_AttributeOwner owner, const UT_StringRef& name,
                                    GA_StorageClass c, int min_size, int max_size) const
{
    GA_Attribute* a = attributes_.findAttribute(owner, name);
    if (!a || a->getTupleSize() < min_size || (max_size >= 0 && a->getTupleSize() > max_size))
        return nullptr;
    const bool fits =
        c == GA_STORECLASS_OTHER ? a->getAIFTuple() != nullptr : a->getStorageClass() == c;
    return fits ? a : nullptr;
}

GA_Attribute* GA_AttributeSet::findAttribute(GA_AttributeOwner owner,
                                             const UT_StringRef& name) const
{
    if (owner < 0 || owner >= GA_ATTRIB_OWNER_N) return nullptr;
    for (const auto& a : dicts_[owner].list_)
        if (a->getName() == name) return a.get();
    return nullptr;
}

GA_Attribute* GA_AttributeSet::cloneAttribute(GA_AttributeOwner owner, const UT_StringHolder& name,
                                              const GA_Attribute& source, bool, bool)
{
    destroyAttribute(owner, name);
    GA_Attribute* a = detail_->addTuple(source.storage(), owner, name, source.getTupleSize());
    a->setTypeInfo(source.getTypeInfo());
    return a;
}

bool GA_AttributeSet::destroyAttribute(GA_AttributeOwner owner, const UT_StringRef& name)
{
    auto& list = dicts_[owner].list_;
    for (auto it = list.begin(); it != list.end(); ++it)
        if ((*it)->getName() == name) {
            list.erase(it);
            return true;
        }
    return false;
}

void GA_AttributeSet::bumpAllDataIds(GA_AttributeOwner owner)
{
    for (const auto& a : dicts_[owner].list_) a->bumpDataId();
}

namespace
{
template <class G, class D>
G* new_group(std::list<G>& groups, D& detail, const UT_StringRef& name, bool ordered)
{
    for (G& g : groups)
        if (g.getName() == name) return nullptr; // as in the HDK: find first
    groups.emplace_back(detail, name.c_str(), ordered);
    return &groups.back();
}
template <class G> G* find_group(const std::list<G>& groups, const UT_StringRef& name)
{
    for (const G& g : groups)
        if (g.getName() == name) return const_cast<G*>(&g);
    return nullptr;
}
template <class G> bool destroy(std::list<G>& groups, const G* group)
{
    const auto n = groups.size();
    groups.remove_if([&](const G& g) { return &g == group; });
    return groups.size() != n;
}
} // namespace

GA_PointGroup* GA_Detail::newPointGroup(const UT_StringRef& name, bool ordered)
{
    return new_group(point_groups_, *this, name, ordered);
}
GA_PrimitiveGroup* GA_Detail::newPrimitiveGroup(const UT_StringRef& name, bool ordered)
{
    return new_group(primitive_groups_, *this, name, ordered);
}
GA_VertexGroup* GA_Detail::newVertexGroup(const UT_StringRef& name, bool ordered)
{
    return new_group(vertex_groups_, *this, name, ordered);
}
GA_PointGroup* GA_Detail::findPointGroup(const UT_StringRef& n) const
{
    return find_group(point_groups_, n);
}
GA_PrimitiveGroup* GA_Detail::findPrimitiveGroup(const UT_StringRef& n) const
{
    return find_group(primitive_groups_, n);
}
GA_VertexGroup* GA_Detail::findVertexGroup(const UT_StringRef& n) const
{
    return find_group(vertex_groups_, n);
}
bool GA_Detail::destroyPointGroup(GA_PointGroup* group) { return destroy(point_groups_, group); }
bool GA_Detail::destroyPrimitiveGroup(GA_PrimitiveGroup* group)
{
    return destroy(primitive_groups_, group);
}
bool GA_Detail::destroyVertexGroup(GA_VertexGroup* group) { return destroy(vertex_groups_, group); }
int GA_Detail::group_count(GA_AttributeOwner owner) const
{
    return int(owner == GA_ATTRIB_POINT       ? point_groups_.size()
               : owner == GA_ATTRIB_PRIMITIVE ? primitive_groups_.size()
               : owner == GA_ATTRIB_VERTEX    ? vertex_groups_.size()
                                              : 0);
}

GA_ElementGroup* GA_ElementGroupTable::find(const UT_StringRef& name) const
{
    if (owner_ == GA_ATTRIB_POINT) return detail_->findPointGroup(name);
    if (owner_ == GA_ATTRIB_PRIMITIVE) return detail_->findPrimitiveGroup(name);
    return detail_->findVertexGroup(name);
}
GA_ElementGroup* GA_ElementGroupTable::newGroup(const UT_StringRef& name) const
{
    if (owner_ == GA_ATTRIB_POINT) return detail_->newPointGroup(name);
    if (owner_ == GA_ATTRIB_PRIMITIVE) return detail_->newPrimitiveGroup(name);
    return detail_->newVertexGroup(name);
}
bool GA_ElementGroupTable::destroy(const UT_StringRef& name) const
{
    if (owner_ == GA_ATTRIB_POINT) return detail_->destroyPointGroup(name);
    if (owner_ == GA_ATTRIB_PRIMITIVE) return detail_->destroyPrimitiveGroup(name);
    return detail_->destroyVertexGroup(detail_->findVertexGroup(name));
}
int GA_ElementGroupTable::entries() const { return detail_->group_count(owner_); }
bool GA_ElementGroupTable::renameGroup(const UT_StringRef& from, const UT_StringHolder& to) const
{
    GA_ElementGroup* group = find(from);
    if (!group) return false;
    if (find(to) != group) destroy(to);
    group->rename(to);
    return true;
}

bool GA_Detail::renameAttribute(GA_AttributeOwner owner, const UT_StringRef& from,
                                const UT_StringHolder& to)
{
    GA_Attribute* a = findAttribute(owner, from);
    if (!a || findAttribute(owner, to)) return false;
    a->rename(to);
    return true;
}

void GA_Detail::bumpAllDataIds()
{
    for (int owner = 0; owner < GA_ATTRIB_OWNER_N; ++owner)
        attributes_.bumpAllDataIds(GA_AttributeOwner(owner));
    for (GA_PointGroup& g : point_groups_) g.bumpDataId();
    for (GA_PrimitiveGroup& g : primitive_groups_) g.bumpDataId();
    topology_.bumpAllDataIds();
    primitive_list_.bumpDataId();
}

void GA_Detail::bumpDataIdsForAddOrRemove(bool points, bool vertices, bool primitives)
{
    if (points) attributes_.bumpAllDataIds(GA_ATTRIB_POINT);
    if (vertices) attributes_.bumpAllDataIds(GA_ATTRIB_VERTEX);
    if (primitives) attributes_.bumpAllDataIds(GA_ATTRIB_PRIMITIVE);
    topology_.bumpAllDataIds();
    if (primitives) primitive_list_.bumpDataId();
}

int64 GA_Detail::getMemoryUsage(bool) const
{
    int64 bytes = int64(sizeof *this);
    for (const GA_AttributeDict& d : attributes_.dicts_)
        for (const auto& a : d.list_) bytes += a->getMemoryUsage(true);
    return bytes;
}
