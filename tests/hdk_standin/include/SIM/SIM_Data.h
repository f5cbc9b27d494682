#pragma once
#include <GU/GU_DetailHandle.h>
#include <SIM/SIM_DataFactory.h>
#include <SIM/SIM_Error.h>
#include <SIM/SIM_Names.h>
#include <SIM/SIM_Options.h>
#include <SIM/SIM_Time.h>
#include <UT/UT_Array.h>
#include <UT/UT_IStream.h>
#include <UT/UT_Matrix4.h>

#include <functional>
#include <list>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

class SIM_Data;
class SIM_DataFilter;
class SIM_Engine;
class SIM_Guide;
class SIM_Object;
class SIM_Query;
class SIM_RootData;

typedef UT_Array<SIM_Data*> SIM_DataArray;
typedef UT_Array<const SIM_Data*> SIM_ConstDataArray;

/// How sub-data is made where there is some of the name.
enum SIM_DataCreationFlags {
    SIM_DATA_RETURN_EXISTING = 0x01,
    SIM_DATA_ADOPT_EXISTING_ON_DELETE = 0x02
};

/// Called for each sub-data of forEach…SubData.
class SIM_EachDataCallback
{
public:
    virtual ~SIM_EachDataCallback() = default;
    virtual void callback(SIM_Data*, const char*) {}
    virtual void callbackConst(const SIM_Data*, const char*) {}
};

/// A piece of a simulation: options, sub-data, and what subclasses add. A cached frame is a copy
/// made by makeEqual: whatever that copies by value is what scrubbing back brings back.
class SIM_Data
{
public:
    explicit SIM_Data(const SIM_DataFactory* factory) : factory_(factory) {}
    virtual ~SIM_Data();
    SIM_Data(const SIM_Data&) = delete;
    SIM_Data& operator=(const SIM_Data&) = delete;

    static const char* classname() { return "SIM_Data"; }
    /// Of data that no DOP node makes.
    static const SIM_DopDescription* getEmptyDopDescription();
    const SIM_DataFactory* getFactory() const { return factory_; }
    const std::string& getDataType() const { return factory_->getDataType(); }
    bool getIsDataTypeOf(const std::string& type) const
    {
        return const_cast<SIM_Data*>(this)->getCastToType(type.c_str()) != nullptr;
    }
    virtual void* getCastToType(const char* type) const;

    void initialize() { initializeSubclass(); }
    /// Becomes a copy of the source, sub-data included.
    void makeEqual(const SIM_Data* source);
    void save(std::ostream& out) const;
    bool load(UT_IStream& in);

    const SIM_Options& getOptions() const { return options_; }
    SIM_Options& getOptionsForWrite() { return options_; }
    void setParameters(const SIM_Options& options) { setParametersSubclass(options); }
    void pubHandleModification() { handleModificationSubclass(1); }
    int64 getModificationCount() const { return modified_; }

    // Sub-data, by path "Forces/gravity1".
    SIM_Data* getNamedSubData(const char* name) const;
    const SIM_Data* getConstNamedSubData(const char* name) const { return getNamedSubData(name); }
    /// Data that is there already stays where the flags ask for it, else the new one replaces it.
    SIM_Data* createNamedSubData(const char* name, const char* type, int flags = 0,
                                 UT_String* new_name = nullptr);
    bool removeNamedSubData(const char* name);
    void addNamedSubData(const char* name, std::unique_ptr<SIM_Data> data);
    int getNumSubData() const { return int(sub_data_.size()); }
    void forEachConstSubData(SIM_EachDataCallback& callback, const SIM_DataFilter& filter,
                             const char* root, const SIM_DataFilter& recurse) const;
    void forEachSubData(SIM_EachDataCallback& callback, const SIM_DataFilter& filter,
                        const char* root, const SIM_DataFilter& recurse);
    void filterConstSubData(SIM_ConstDataArray& found, UT_Array<UT_StringHolder>* names,
                            const SIM_DataFilter& filter, const char* root,
                            const SIM_DataFilter& recurse) const;
    void filterSubData(SIM_DataArray& found, UT_Array<UT_StringHolder>* names,
                       const SIM_DataFilter& filter, const char* root,
                       const SIM_DataFilter& recurse);

    /// Of this data and all below it.
    int64 getMemorySize() const
    {
        int64 bytes = getMemorySizeSubclass();
        for (const Named& n : sub_data_) bytes += n.data->getMemorySize();
        return bytes;
    }

    void addError(const SIM_RootData* root, int code, const char* text,
                  UT_ErrorSeverity severity) const;
    const UT_ErrorManager& errors() const { return errors_; }
    void clear_errors() { errors_.clearAllErrors(); }

    /// Draws guides into the handle; its options are those of the guide templates.
    void buildGuideGeometry(const SIM_RootData& root, const SIM_Options& options,
                            const GU_DetailHandle& gdh, UT_DMatrix4* xform,
                            const SIM_Time& time) const
    {
        buildGuideGeometrySubclass(root, options, gdh, xform, time);
    }

    /// Who draws the guides; the caller owns it. Null: nobody.
    SIM_Guide* createGuideObject() const { return createGuideObjectSubclass(); }

protected:
    /// To be called by whoever changes what the options do not hold.
    void handleModification(int code = -1) { handleModificationSubclass(code); }
    virtual void initializeSubclass() {}
    virtual SIM_Guide* createGuideObjectSubclass() const { return nullptr; }
    virtual void makeEqualSubclass(const SIM_Data*) {}
    virtual int64 getMemorySizeSubclass() const { return int64(sizeof *this); }
    virtual void setParametersSubclass(const SIM_Options& options) { options_.merge(options); }
    virtual void handleModificationSubclass(int /*code*/) { ++modified_; }
    virtual void saveSubclass(std::ostream&) const {}
    virtual bool loadSubclass(UT_IStream&) { return true; }
    virtual void buildGuideGeometrySubclass(const SIM_RootData&, const SIM_Options&,
                                            const GU_DetailHandle&, UT_DMatrix4*,
                                            const SIM_Time&) const
    {
    }

private:
    struct Named {
        std::string name;
        std::unique_ptr<SIM_Data> data;
    };
    void visit(const SIM_DataFilter& filter, const char* root, const SIM_DataFilter& recurse,
               const std::function<void(SIM_Data*, const std::string&)>& found) const;

    const SIM_DataFactory* factory_;
    SIM_Options options_;
    std::list<Named> sub_data_;
    int64 modified_ = 0;
    mutable UT_ErrorManager errors_;
};

// Every data class names itself, its base, its description and its DOP, and can be cast by name.
#define DECLARE_STANDARD_GETCASTTOTYPE()                                                           \
public:                                                                                            \
    void* getCastToType(const char* type) const override                                           \
    {                                                                                              \
        if (std::string(type) == classname()) return const_cast<void*>(cast_self());               \
        return BaseClass::getCastToType(type);                                                     \
    }                                                                                              \
                                                                                                   \
private:                                                                                           \
    friend class SIM_DataFactory

#define DECLARE_CLASSNAME(CLASS, BASE)                                                             \
public:                                                                                            \
    static const char* classname() { return #CLASS; }                                              \
    using BaseClass = BASE;                                                                        \
    const void* cast_self() const { return static_cast<const CLASS*>(this); }                      \
                                                                                                   \
private:                                                                                           \
    friend class SIM_DataFactory

#define DECLARE_DATAFACTORY(CLASS, BASE, DESCRIPTION, DOP)                                         \
    DECLARE_CLASSNAME(CLASS, BASE);                                                                \
                                                                                                   \
public:                                                                                            \
    static void implement_data_factory()                                                           \
    {                                                                                              \
        SIM_DataFactory::add(std::make_unique<SIM_DataFactory>(                                    \
            #CLASS, DESCRIPTION, DOP,                                                              \
            [](const SIM_DataFactory* f) -> SIM_Data* { return new CLASS(f); }));                  \
    }                                                                                              \
                                                                                                   \
private:                                                                                           \
    friend class SIM_DataFactory

#define IMPLEMENT_DATAFACTORY(CLASS) CLASS::implement_data_factory()

#define SIM_DATA_CAST(data, TYPE)                                                                  \
    ((data) ? static_cast<TYPE*>((data)->getCastToType(TYPE::classname())) : nullptr)
#define SIM_DATA_CASTCONST(data, TYPE)                                                             \
    ((data) ? static_cast<const TYPE*>((data)->getCastToType(TYPE::classname())) : nullptr)
#define SIM_DATA_GET(data, name, TYPE) SIM_DATA_CAST((data).getNamedSubData(name), TYPE)
#define SIM_DATA_GETCONST(data, name, TYPE)                                                        \
    SIM_DATA_CASTCONST((data).getConstNamedSubData(name), TYPE)
#define SIM_DATA_CREATE(data, name, TYPE, flags)                                                   \
    SIM_DATA_CAST((data).createNamedSubData(name, TYPE::classname(), flags), TYPE)

#define GET_DATA_FUNC_F(NAME, FUNC)                                                                \
    fpreal get##FUNC() const { return getData().getOptions().getOptionF(NAME); }
#define GET_DATA_FUNC_I(NAME, FUNC)                                                                \
    int64 get##FUNC() const { return getData().getOptions().getOptionI(NAME); }
#define GET_DATA_FUNC_B(NAME, FUNC)                                                                \
    bool get##FUNC() const { return getData().getOptions().getOptionB(NAME); }
#define GET_DATA_FUNC_E(NAME, FUNC, ENUM)                                                          \
    ENUM get##FUNC() const { return ENUM(getData().getOptions().getOptionI(NAME)); }
#define GET_DATA_FUNC_S(NAME, FUNC)                                                                \
    UT_StringHolder get##FUNC() const                                                              \
    {                                                                                              \
        return UT_StringHolder(getData().getOptions().getOptionS(NAME));                           \
    }                                                                                              \
    void get##FUNC(UT_String& value) const { value = get##FUNC().c_str(); }
#define GET_DATA_FUNC_V3(NAME, FUNC)                                                               \
    UT_Vector3D get##FUNC() const { return getData().getOptions().getOptionV3(NAME); }
#define GET_DATA_FUNC_V2(NAME, FUNC)                                                               \
    UT_Vector2D get##FUNC() const { return getData().getOptions().getOptionV2(NAME); }
#define GET_DATA_FUNC_V4(NAME, FUNC)                                                               \
    UT_Vector4D get##FUNC() const { return getData().getOptions().getOptionV4(NAME); }
#define SET_DATA_FUNC_V2(NAME, FUNC)                                                               \
    void set##FUNC(const UT_Vector2D& v) { getData().getOptionsForWrite().setOptionV2(NAME, v); }
#define SET_DATA_FUNC_V4(NAME, FUNC)                                                               \
    void set##FUNC(const UT_Vector4D& v) { getData().getOptionsForWrite().setOptionV4(NAME, v); }
#define SET_DATA_FUNC_E(NAME, FUNC, ENUM)                                                          \
    void set##FUNC(ENUM v) { getData().getOptionsForWrite().setOptionI(NAME, int64(v)); }
#define GETSET_DATA_FUNCS_V2(NAME, FUNC) GET_DATA_FUNC_V2(NAME, FUNC) SET_DATA_FUNC_V2(NAME, FUNC)
#define GETSET_DATA_FUNCS_V4(NAME, FUNC) GET_DATA_FUNC_V4(NAME, FUNC) SET_DATA_FUNC_V4(NAME, FUNC)
#define GETSET_DATA_FUNCS_E(NAME, FUNC, ENUM)                                                      \
    GET_DATA_FUNC_E(NAME, FUNC, ENUM) SET_DATA_FUNC_E(NAME, FUNC, ENUM)
#define SET_DATA_FUNC_F(NAME, FUNC)                                                                \
    void set##FUNC(fpreal v) { getData().getOptionsForWrite().setOptionF(NAME, v); }
#define SET_DATA_FUNC_I(NAME, FUNC)                                                                \
    void set##FUNC(int64 v) { getData().getOptionsForWrite().setOptionI(NAME, v); }
#define SET_DATA_FUNC_B(NAME, FUNC)                                                                \
    void set##FUNC(bool v) { getData().getOptionsForWrite().setOptionB(NAME, v); }
#define SET_DATA_FUNC_S(NAME, FUNC)                                                                \
    void set##FUNC(const char* v) { getData().getOptionsForWrite().setOptionS(NAME, v); }
#define SET_DATA_FUNC_V3(NAME, FUNC)                                                               \
    void set##FUNC(const UT_Vector3D& v) { getData().getOptionsForWrite().setOptionV3(NAME, v); }
#define GETSET_DATA_FUNCS_F(NAME, FUNC) GET_DATA_FUNC_F(NAME, FUNC) SET_DATA_FUNC_F(NAME, FUNC)
#define GETSET_DATA_FUNCS_I(NAME, FUNC) GET_DATA_FUNC_I(NAME, FUNC) SET_DATA_FUNC_I(NAME, FUNC)
#define GETSET_DATA_FUNCS_B(NAME, FUNC) GET_DATA_FUNC_B(NAME, FUNC) SET_DATA_FUNC_B(NAME, FUNC)
#define GETSET_DATA_FUNCS_S(NAME, FUNC) GET_DATA_FUNC_S(NAME, FUNC) SET_DATA_FUNC_S(NAME, FUNC)
#define GETSET_DATA_FUNCS_V3(NAME, FUNC) GET_DATA_FUNC_V3(NAME, FUNC) SET_DATA_FUNC_V3(NAME, FUNC)
#define GET_GUIDE_FUNC_F(NAME, FUNC, DEFAULT)                                                      \
    static fpreal get##FUNC(const SIM_Options& o)                                                  \
    {                                                                                              \
        return o.hasOption(NAME) ? o.getOptionF(NAME) : fpreal DEFAULT;                            \
    }
#define GET_GUIDE_FUNC_B(NAME, FUNC, DEFAULT)                                                      \
    static bool get##FUNC(const SIM_Options& o)                                                    \
    {                                                                                              \
        return o.hasOption(NAME) ? o.getOptionB(NAME) : bool DEFAULT;                              \
    }
