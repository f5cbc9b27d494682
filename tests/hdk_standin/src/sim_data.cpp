#include <SIM/SIM_Data.h>
#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_Object.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace
{
std::map<std::string, std::unique_ptr<SIM_DataFactory>>& factories()
{
    static std::map<std::string, std::unique_ptr<SIM_DataFactory>> all;
    return all;
}
} // namespace

void SIM_DataFactory::add(std::unique_ptr<SIM_DataFactory> f)
{
    // Data that is there points at its factory: one that is registered again stays.
    factories().try_emplace(f->getDataType(), std::move(f));
}
const SIM_DataFactory* SIM_DataFactory::find(const std::string& type)
{
    const auto it = factories().find(type);
    return it == factories().end() ? nullptr : it->second.get();
}

SIM_Data* SIM_DataFactory::create() const
{
    SIM_Data* data = make_(this);
    data->initialize();
    SIM_Options options;
    for (const PRM_Template* t = dop_ ? dop_->getTemplates() : nullptr;
         t && t->getType().kind() != PRM_Type::none; ++t) {
        const PRM_Default& d = t->default_of(0);
        if (t->getType().isStringType())
            options.setOptionS(t->getToken(), d.getString());
        else if (t->getType().kind() == PRM_Type::toggle)
            options.setOptionB(t->getToken(), d.getFloat() != 0);
        else if (t->getType().isOrdinalType())
            options.setOptionI(t->getToken(), int64(d.getFloat()));
        else if (t->getType().isFloatType() && t->getVectorSize() == 3)
            options.setOptionV3(t->getToken(),
                                UT_Vector3D(d.getFloat(), t->default_of(1).getFloat(),
                                            t->default_of(2).getFloat()));
        else if (t->getType().isFloatType() && t->getVectorSize() == 2)
            options.setOptionV2(t->getToken(),
                                UT_Vector2D(d.getFloat(), t->default_of(1).getFloat()));
        else if (t->getType().isFloatType() && t->getVectorSize() == 4)
            options.setOptionV4(t->getToken(),
                                UT_Vector4D(d.getFloat(), t->default_of(1).getFloat(),
                                            t->default_of(2).getFloat(),
                                            t->default_of(3).getFloat()));
        else if (t->getType().isFloatType())
            options.setOptionF(t->getToken(), d.getFloat());
    }
    data->setParameters(options);
    return data;
}

SIM_Data::~SIM_Data() = default;

const SIM_DopDescription* SIM_Data::getEmptyDopDescription()
{
    static const SIM_DopDescription none(false, nullptr, nullptr, nullptr, nullptr, nullptr);
    return &none;
}

void* SIM_Data::getCastToType(const char* type) const
{
    return std::string(type) == classname() ? const_cast<SIM_Data*>(this) : nullptr;
}

void SIM_Data::makeEqual(const SIM_Data* source)
{
    options_ = source->options_;
    modified_ = source->modified_;
    makeEqualSubclass(source);
    sub_data_.clear();
    for (const Named& n : source->sub_data_) {
        std::unique_ptr<SIM_Data> copy(n.data->getFactory()->create());
        copy->makeEqual(n.data.get());
        sub_data_.push_back({n.name, std::move(copy)});
    }
}

SIM_Data* SIM_Data::getNamedSubData(const char* path) const
{
    const std::string p = path;
    const auto slash = p.find('/');
    for (const Named& n : sub_data_)
        if (n.name == p.substr(0, slash))
            return slash == std::string::npos ? n.data.get()
                                              : n.data->getNamedSubData(p.c_str() + slash + 1);
    return nullptr;
}

SIM_Data* SIM_Data::createNamedSubData(const char* path, const char* type, int flags,
                                       UT_String* new_name)
{
    const SIM_DataFactory* f = SIM_DataFactory::find(type);
    if (!f) return nullptr;
    if (new_name) *new_name = path;
    SIM_Data* existing = getNamedSubData(path);
    if (existing && (flags & SIM_DATA_RETURN_EXISTING) && existing->getCastToType(type))
        return existing;
    addNamedSubData(path, std::unique_ptr<SIM_Data>(f->create()));
    return getNamedSubData(path);
}

void SIM_Data::addNamedSubData(const char* path, std::unique_ptr<SIM_Data> data)
{
    const std::string p = path;
    const auto slash = p.find('/');
    if (slash != std::string::npos) {
        const std::string first = p.substr(0, slash);
        if (!getNamedSubData(first.c_str())) {
            // A container without a type of its own.
            static const SIM_DataFactory container(
                "SIM_Data", "Container", nullptr,
                [](const SIM_DataFactory* f) { return new SIM_Data(f); });
            sub_data_.push_back({first, std::unique_ptr<SIM_Data>(container.create())});
        }
        getNamedSubData(first.c_str())->addNamedSubData(p.c_str() + slash + 1, std::move(data));
        return;
    }
    removeNamedSubData(path);
    sub_data_.push_back({p, std::move(data)});
}

bool SIM_Data::removeNamedSubData(const char* name)
{
    const auto n = sub_data_.size();
    sub_data_.remove_if([&](const Named& d) { return d.name == name; });
    return sub_data_.size() != n;
}

void SIM_Data::visit(const SIM_DataFilter& filter, const char* root, const SIM_DataFilter& recurse,
                     const std::function<void(SIM_Data*, const std::string&)>& found) const
{
    const SIM_Data* top = root && *root ? getNamedSubData(root) : this;
    if (!top) return;
    for (const Named& n : top->sub_data_) {
        if (filter.matches(*n.data, n.name)) found(n.data.get(), n.name);
        if (recurse.matches(*n.data, n.name)) n.data->visit(filter, nullptr, recurse, found);
    }
}

void SIM_Data::forEachConstSubData(SIM_EachDataCallback& callback, const SIM_DataFilter& filter,
                                   const char* root, const SIM_DataFilter& recurse) const
{
    visit(filter, root, recurse,
          [&](SIM_Data* d, const std::string& n) { callback.callbackConst(d, n.c_str()); });
}
void SIM_Data::forEachSubData(SIM_EachDataCallback& callback, const SIM_DataFilter& filter,
                              const char* root, const SIM_DataFilter& recurse)
{
    visit(filter, root, recurse,
          [&](SIM_Data* d, const std::string& n) { callback.callback(d, n.c_str()); });
}
void SIM_Data::filterConstSubData(SIM_ConstDataArray& all, UT_Array<UT_StringHolder>* names,
                                  const SIM_DataFilter& filter, const char* root,
                                  const SIM_DataFilter& recurse) const
{
    visit(filter, root, recurse, [&](SIM_Data* d, const std::string& n) {
        all.append(d);
        if (names) names->append(n);
    });
}
void SIM_Data::filterSubData(SIM_DataArray& all, UT_Array<UT_StringHolder>* names,
                             const SIM_DataFilter& filter, const char* root,
                             const SIM_DataFilter& recurse)
{
    visit(filter, root, recurse, [&](SIM_Data* d, const std::string& n) {
        all.append(d);
        if (names) names->append(n);
    });
}

void SIM_Data::addError(const SIM_RootData* root, int code, const char* text,
                        UT_ErrorSeverity severity) const
{
    errors_.add("SIM", code, text, severity);
    if (root && root != this) root->errors_.add("SIM", code, text, severity);
}

namespace
{
void write_text(std::ostream& out, const std::string& text)
{
    const int64 size = int64(text.size());
    out.write(reinterpret_cast<const char*>(&size), sizeof size);
    out.write(text.data(), size);
}
bool read_text(UT_IStream& in, std::string& text)
{
    int64 size = 0;
    if (in.bread(&size) != 1 || size < 0 || size > 4096) return false;
    text.resize(std::size_t(size));
    return size == 0 || in.bread(text.data(), size) == size;
}
} // namespace

void SIM_Data::save(std::ostream& out) const
{
    saveSubclass(out);
    const int64 count = int64(sub_data_.size());
    out.write(reinterpret_cast<const char*>(&count), sizeof count);
    for (const Named& n : sub_data_) {
        write_text(out, n.name);
        write_text(out, n.data->getDataType());
        n.data->save(out);
    }
}
bool SIM_Data::load(UT_IStream& in)
{
    int64 count = 0;
    if (!loadSubclass(in) || in.bread(&count) != 1) return false;
    for (int64 i = 0; i < count; ++i) {
        std::string name, type;
        if (!read_text(in, name) || !read_text(in, type)) return false;
        SIM_Data* data = getNamedSubData(name.c_str());
        if (!data) data = createNamedSubData(name.c_str(), type.c_str());
        if (!data || !data->load(in)) return false;
    }
    return true;
}

void SIM_Geometry::makeEqualSubclass(const SIM_Data* source)
{
    const auto& s = *static_cast<const SIM_Geometry*>(source);
    handle_ = s.handle_; // shared until somebody writes
    transform_ = s.transform_;
}

void SIM_Geometry::saveSubclass(std::ostream& out) const
{
    // Points only: enough to see that saving and loading bring positions back.
    const GU_Detail* gdp = handle_.gdp();
    const GA_Size n = gdp ? gdp->getNumPoints() : 0;
    out.write(reinterpret_cast<const char*>(&n), sizeof n);
    for (GA_Index i = 0; i < n; ++i) {
        const UT_Vector3 p = gdp->getPos3(gdp->pointOffset(i));
        out.write(reinterpret_cast<const char*>(p.data()), 3 * sizeof(float));
    }
}
bool SIM_Geometry::loadSubclass(UT_IStream& in)
{
    GA_Size n = 0;
    if (in.bread(&n) != 1) return false;
    if (handle_.isNull()) handle_.allocateAndSet(new GU_Detail);
    if (handle_.use_count() > 1) {
        GU_DetailHandle own;
        own.allocateAndSet(new GU_Detail(handle_.gdp()));
        handle_ = own;
    }
    GU_Detail& gdp = *handle_.gdpNC();
    if (gdp.getNumPoints() < n) gdp.appendPointBlock(n - gdp.getNumPoints());
    for (GA_Index i = 0; i < n; ++i) {
        UT_Vector3 p;
        if (in.bread(p.data(), 3) != 3) return false;
        gdp.setPos3(gdp.pointOffset(i), p);
    }
    return true;
}

GU_DetailHandle SIM_GeometryCopy::lockGeometry() const
{
    auto& handle = const_cast<SIM_GeometryCopy*>(this)->handle_;
    if (handle.isNull()) {
        handle.allocateAndSet(new GU_Detail);
    } else if (handle.use_count() > 1) {
        GU_DetailHandle own;
        own.allocateAndSet(new GU_Detail(handle.gdp()));
        handle = own;
    }
    return handle;
}
void SIM_GeometryCopy::releaseGeometry() const {}

void SIM_Force::getPointForces(SIM_PointForceCallback& callback, const SIM_Object& object,
                               const GU_ConstDetailHandle& gdh, const UT_DMatrix4& transform,
                               const GA_PointGroup* group, const char*, bool) const
{
    const GU_Detail& gdp = *gdh.gdp();
    const GA_ROHandleF mass(&gdp, GA_ATTRIB_POINT, "mass");
    const GA_ROHandleV3 v(&gdp, GA_ATTRIB_POINT, "v");
    const UT_Vector3 still(0, 0, 0);
    for (GA_Iterator it(gdp.getPointRange(group)); !it.atEnd(); ++it) {
        UT_Vector3 force, torque;
        getForce(object, gdp.getPos3(*it) * transform, v.isValid() ? v.get(*it) : still, still,
                 mass.isValid() ? fpreal(mass.get(*it)) : 1, force, torque);
        callback.forceCallbackOffset(*it, force, torque);
    }
}

void SIM_Object::makeEqualSubclass(const SIM_Data* source)
{
    const auto& s = *static_cast<const SIM_Object*>(source);
    name_ = s.name_;
    id_ = s.id_;
    affectors_ = s.affectors_;
}
void SIM_Object::getAffectors(SIM_ObjectArray& all, const char* relationship)
{
    for (const Affector& a : affectors_)
        if (a.relationship == relationship) all.append(a.object);
}
void SIM_Object::getConstAffectors(SIM_ConstObjectArray& all, const char* relationship) const
{
    for (const Affector& a : affectors_)
        if (a.relationship == relationship) all.append(a.object);
}
bool SIM_Object::getIsAffector(const SIM_Object* affector, const char* relationship) const
{
    return std::any_of(affectors_.begin(), affectors_.end(), [&](const Affector& a) {
        return a.object == affector && a.relationship == relationship;
    });
}
void SIM_Object::removeAffector(const SIM_Object* affector, const char* relationship)
{
    affectors_.erase(std::remove_if(affectors_.begin(), affectors_.end(),
                                    [&](const Affector& a) {
                                        return a.object == affector &&
                                               a.relationship == relationship;
                                    }),
                     affectors_.end());
}
void SIM_Object::getAllAffectors(SIM_ObjectArray& all) const
{
    for (const Affector& a : affectors_) all.append(a.object);
}

void SIMgetGeometryTransform(UT_DMatrix4& m, const SIM_Object& object)
{
    m.identity();
    if (const SIM_Geometry* g = object.getGeometry()) g->getTransform(m);
}
void SIMgetPositionAndTransform(UT_DMatrix4& m, const SIM_Object& object)
{
    SIMgetGeometryTransform(m, object);
}
