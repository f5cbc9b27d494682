#pragma once
#include <UT/UT_StringHolder.h>
#include <UT/UT_Vector3.h>

#include <map>
#include <variant>

/// Named values of any simple type.
class UT_Options
{
public:
    using Value =
        std::variant<int64, bool, fpreal, std::string, UT_Vector3D, UT_Vector2D, UT_Vector4D>;

    bool hasOption(const UT_StringRef& name) const { return values_.count(name.c_str()) != 0; }
    void setOptionI(const UT_StringRef& name, int64 v) { values_[name.c_str()] = v; }
    void setOptionB(const UT_StringRef& name, bool v) { values_[name.c_str()] = v; }
    void setOptionF(const UT_StringRef& name, fpreal v) { values_[name.c_str()] = v; }
    void setOptionS(const UT_StringRef& name, const UT_StringRef& v)
    {
        values_[name.c_str()] = std::string(v.c_str());
    }
    void setOptionV3(const UT_StringRef& name, const UT_Vector3D& v) { values_[name.c_str()] = v; }
    int64 getOptionI(const UT_StringRef& name) const { return int64(number<int64>(name)); }
    bool getOptionB(const UT_StringRef& name) const { return number<bool>(name) != 0; }
    fpreal getOptionF(const UT_StringRef& name) const { return number<fpreal>(name); }
    const std::string& getOptionS(const UT_StringRef& name) const;
    UT_Vector3D getOptionV3(const UT_StringRef& name) const;
    void setOptionV2(const UT_StringRef& name, const UT_Vector2D& v) { values_[name.c_str()] = v; }
    void setOptionV4(const UT_StringRef& name, const UT_Vector4D& v) { values_[name.c_str()] = v; }
    UT_Vector2D getOptionV2(const UT_StringRef& name) const { return get<UT_Vector2D>(name); }
    UT_Vector4D getOptionV4(const UT_StringRef& name) const { return get<UT_Vector4D>(name); }
    void removeOption(const UT_StringRef& name) { values_.erase(name.c_str()); }
    int getNumOptions() const { return int(values_.size()); }
    bool operator==(const UT_Options& b) const { return values_ == b.values_; }
    void merge(const UT_Options& b)
    {
        for (const auto& [name, value] : b.values_) values_[name] = value;
    }
    const std::map<std::string, Value>& values() const { return values_; }

private:
    /// Of any type of number; counts where it is not T.
    template <class T> fpreal number(const UT_StringRef& name) const;
    template <class T> T get(const UT_StringRef& name) const
    {
        const auto it = values_.find(name.c_str());
        const T* v = it == values_.end() ? nullptr : std::get_if<T>(&it->second);
        return v ? *v : T();
    }
    std::map<std::string, Value> values_;
};
