#pragma once
#include <SYS/SYS_Types.h>
#include <UT/UT_StringHolder.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

class PRM_Template;
class UT_String;

/// Kind of a parameter.
class PRM_Type
{
public:
    enum Kind {
        none,
        real,
        integer,
        toggle,
        text,
        ordinal,
        folder,
        separator,
        label,
        button,
        multi,
        heading
    };
    constexpr PRM_Type(Kind kind = none, bool log = false) : kind_(kind), log_(log) {}
    constexpr Kind kind() const { return kind_; }
    constexpr bool isFloatType() const { return kind_ == real; }
    constexpr bool isStringType() const { return kind_ == text; }
    constexpr bool isOrdinalType() const
    {
        return kind_ == integer || kind_ == ordinal || kind_ == toggle;
    }
    constexpr bool operator==(const PRM_Type& b) const { return kind_ == b.kind_; }
    constexpr bool operator!=(const PRM_Type& b) const { return kind_ != b.kind_; }

private:
    Kind kind_;
    bool log_;
};

inline constexpr PRM_Type PRM_LIST_TERMINATOR{PRM_Type::none};
inline constexpr PRM_Type PRM_FLT{PRM_Type::real}, PRM_FLT_J{PRM_Type::real},
    PRM_FLT_E{PRM_Type::real}, PRM_FLT_LOG{PRM_Type::real, true}, PRM_XYZ{PRM_Type::real},
    PRM_XYZ_J{PRM_Type::real}, PRM_XYZ_E{PRM_Type::real}, PRM_RGB{PRM_Type::real},
    PRM_RGB_J{PRM_Type::real}, PRM_UVW{PRM_Type::real}, PRM_ANGLE{PRM_Type::real},
    PRM_DIRECTION{PRM_Type::real};
inline constexpr PRM_Type PRM_INT{PRM_Type::integer}, PRM_INT_J{PRM_Type::integer},
    PRM_INT_E{PRM_Type::integer}, PRM_INT_XYZ{PRM_Type::integer}, PRM_INT_XYZ_J{PRM_Type::integer};
inline constexpr PRM_Type PRM_TOGGLE{PRM_Type::toggle}, PRM_TOGGLE_J{PRM_Type::toggle},
    PRM_TOGGLE_E{PRM_Type::toggle};
inline constexpr PRM_Type PRM_STRING{PRM_Type::text}, PRM_STRING_E{PRM_Type::text},
    PRM_FILE{PRM_Type::text}, PRM_FILE_E{PRM_Type::text}, PRM_STRING_OPREF{PRM_Type::text},
    PRM_GEOMETRY{PRM_Type::text}, PRM_ALPHASTRING{PRM_Type::text};
inline constexpr PRM_Type PRM_ORD{PRM_Type::ordinal}, PRM_ORD_E{PRM_Type::ordinal},
    PRM_ICONSTRIP{PRM_Type::ordinal};
inline constexpr PRM_Type PRM_SWITCHER{PRM_Type::folder}, PRM_SWITCHER_EXCLUSIVE{PRM_Type::folder},
    PRM_SIMPLE{PRM_Type::folder};
inline constexpr PRM_Type PRM_SEPARATOR{PRM_Type::separator}, PRM_LABEL{PRM_Type::label},
    PRM_HEADING{PRM_Type::heading}, PRM_CALLBACK{PRM_Type::button},
    PRM_CALLBACK_NOREFRESH{PRM_Type::button};

enum PRM_MultiType {
    PRM_MULTITYPE_NONE,
    PRM_MULTITYPE_LIST,
    PRM_MULTITYPE_SCROLL,
    PRM_MULTITYPE_TABS
};

class PRM_Name
{
public:
    PRM_Name() = default;
    /// Points at the texts, which must stay, until harden() makes copies.
    PRM_Name(const char* token, const char* label = nullptr)
        : token_(token ? token : ""), label_(label ? label : token_)
    {
    }
    const char* getToken() const { return token_; }
    const char* getLabel() const { return label_; }
    const UT_StringHolder getTokenRef() const { return token_; }
    void setToken(const char* token) { own(token, label_); }
    void setLabel(const char* label) { own(token_, label); }
    void harden() { own(token_, label_); }
    bool empty() const { return !*token_; }

private:
    void own(const std::string& token, const std::string& label)
    {
        own_ = std::make_shared<const std::pair<std::string, std::string>>(token, label);
        token_ = own_->first.c_str();
        label_ = own_->second.c_str();
    }
    std::shared_ptr<const std::pair<std::string, std::string>> own_;
    const char *token_ = "", *label_ = "";
};

class PRM_Default
{
public:
    PRM_Default(fpreal value = 0, const char* text = nullptr)
        : value_(value), text_(text ? text : "")
    {
    }
    fpreal getFloat() const { return value_; }
    int getOrdinal() const { return int(value_); }
    const char* getString() const { return text_.c_str(); }

private:
    fpreal value_;
    std::string text_;
};

enum PRM_RangeFlag { PRM_RANGE_FREE, PRM_RANGE_UI, PRM_RANGE_RESTRICTED, PRM_RANGE_PRM };
class PRM_Range
{
public:
    PRM_Range(PRM_RangeFlag low_flag = PRM_RANGE_FREE, fpreal low = 0,
              PRM_RangeFlag high_flag = PRM_RANGE_FREE, fpreal high = 1)
        : low_flag_(low_flag), high_flag_(high_flag), low_(low), high_(high)
    {
    }
    fpreal getUIMin() const { return low_; }
    fpreal getUIMax() const { return high_; }
    bool restricts_low() const { return low_flag_ == PRM_RANGE_RESTRICTED; }
    bool restricts_high() const { return high_flag_ == PRM_RANGE_RESTRICTED; }
    fpreal clamp(fpreal v) const
    {
        if (restricts_low() && v < low_) return low_;
        if (restricts_high() && v > high_) return high_;
        return v;
    }

private:
    PRM_RangeFlag low_flag_, high_flag_;
    fpreal low_, high_;
};

enum PRM_ChoiceListType {
    PRM_CHOICELIST_NONE = 0,
    PRM_CHOICELIST_SINGLE = 1,
    PRM_CHOICELIST_REPLACE = 2,
    PRM_CHOICELIST_TOGGLE = 4,
    PRM_CHOICELIST_USE_TOKEN = 0x100
};
inline PRM_ChoiceListType operator|(PRM_ChoiceListType a, PRM_ChoiceListType b)
{
    return PRM_ChoiceListType(int(a) | int(b));
}
typedef void (*PRM_ChoiceGenFunc)(void* op, PRM_Name* choices, int list_size,
                                  const class PRM_SpareData*, const class PRM_Parm*);
class PRM_ChoiceList
{
public:
    PRM_ChoiceList(PRM_ChoiceListType type, PRM_Name* names) : type_(type)
    {
        for (; names && !names->empty(); ++names) names_.push_back(*names);
    }
    PRM_ChoiceList(PRM_ChoiceListType type, PRM_ChoiceGenFunc generate)
        : type_(type), generate_(generate)
    {
    }
    const std::vector<PRM_Name>& names() const { return names_; }
    PRM_ChoiceListType type() const { return type_; }

private:
    PRM_ChoiceListType type_;
    PRM_ChoiceGenFunc generate_ = nullptr;
    std::vector<PRM_Name> names_;
};

class PRM_SpareData
{
public:
    PRM_SpareData() = default;
    explicit PRM_SpareData(const char* token, const char* value) { values_[token] = value; }
    const char* getValue(const char* token) const
    {
        const auto it = values_.find(token);
        return it == values_.end() ? nullptr : it->second.c_str();
    }
    void addTokenValue(const char* token, const char* value) { values_[token] = value; }
    static PRM_SpareData stringEditor;

private:
    std::map<std::string, std::string> values_;
};

enum PRM_ConditionalType {
    PRM_CONDTYPE_INVALID,
    PRM_CONDTYPE_DISABLE,
    PRM_CONDTYPE_HIDE,
    PRM_CONDTYPE_NONE
};
class PRM_ConditionalBase
{
public:
    virtual ~PRM_ConditionalBase() = default;
};
class PRM_Conditional : public PRM_ConditionalBase
{
public:
    explicit PRM_Conditional(const char* condition, PRM_ConditionalType type = PRM_CONDTYPE_DISABLE)
        : condition_(condition), type_(type)
    {
    }
    const std::string& condition() const { return condition_; }
    PRM_ConditionalType type() const { return type_; }

private:
    std::string condition_;
    PRM_ConditionalType type_;
};

/// A button was pressed or a value changed; 1 asks for a redraw of the pane.
typedef int (*PRM_CallbackFunc)(void* node, int index, fpreal t, const PRM_Template*);
class PRM_Callback
{
public:
    PRM_Callback(PRM_CallbackFunc f = nullptr) : f_(f) {}
    PRM_Callback(int) {}
    PRM_CallbackFunc function() const { return f_; }

private:
    PRM_CallbackFunc f_ = nullptr;
};

/// One row of a node's interface; a list of them ends with PRM_Template().
class PRM_Template
{
public:
    enum PRM_Export { PRM_EXPORT_MIN, PRM_EXPORT_DEF, PRM_EXPORT_TBX, PRM_EXPORT_MAX };

    PRM_Template() = default;
    PRM_Template(const PRM_Type& type, int size, PRM_Name* name, PRM_Default* defaults = nullptr,
                 PRM_ChoiceList* choices = nullptr, PRM_Range* range = nullptr,
                 PRM_Callback callback = PRM_Callback(), const PRM_SpareData* spare = nullptr,
                 int parm_group = 1, const char* help = nullptr,
                 PRM_ConditionalBase* condition = nullptr);
    PRM_Template(const PRM_Type& type, PRM_Export, int size, PRM_Name* name,
                 PRM_Default* defaults = nullptr, PRM_ChoiceList* choices = nullptr,
                 PRM_Range* range = nullptr, PRM_Callback callback = PRM_Callback(),
                 const PRM_SpareData* spare = nullptr, int parm_group = 1,
                 const char* help = nullptr, PRM_ConditionalBase* condition = nullptr)
        : PRM_Template(type, size, name, defaults, choices, range, callback, spare, parm_group,
                       help, condition)
    {
    }
    PRM_Template(PRM_MultiType type, PRM_Template* instance, fpreal size, PRM_Name* name,
                 PRM_Default* defaults = nullptr, PRM_Range* range = nullptr,
                 const PRM_SpareData* spare = nullptr, const char* help = nullptr,
                 PRM_ConditionalBase* condition = nullptr);

    const PRM_Type& getType() const { return type_; }
    int getVectorSize() const { return size_; }
    const char* getToken() const { return name_ ? name_->getToken() : ""; }
    const char* getLabel() const { return name_ ? name_->getLabel() : ""; }
    const PRM_Default* getFactoryDefaults() const { return defaults_; }
    const PRM_Default& default_of(int component) const;
    const PRM_ChoiceList* getChoiceListPtr() const { return choices_; }
    const PRM_Range* getRangePtr() const { return range_; }
    PRM_CallbackFunc getCallback() const { return callback_.function(); }
    const PRM_SpareData* getSparePtr() const { return spare_; }
    const char* getHelpText() const { return help_.c_str(); }
    const PRM_ConditionalBase* getConditionalBasePtr() const { return condition_; }
    PRM_MultiType getMultiType() const { return multi_; }
    const PRM_Template* getMultiParmTemplate() const { return instance_; }
    void setCallback(PRM_CallbackFunc f) { callback_ = f; }
    static int countTemplates(const PRM_Template* list);

private:
    PRM_Type type_;
    int size_ = 0;
    // Not copied: shared ones may not be constructed yet when a static template is.
    const PRM_Name* name_ = nullptr;
    const PRM_Default* defaults_ = nullptr;
    PRM_ChoiceList* choices_ = nullptr;
    PRM_Range* range_ = nullptr;
    PRM_Callback callback_;
    const PRM_SpareData* spare_ = nullptr;
    std::string help_;
    PRM_ConditionalBase* condition_ = nullptr;
    PRM_MultiType multi_ = PRM_MULTITYPE_NONE;
    PRM_Template* instance_ = nullptr;
};
