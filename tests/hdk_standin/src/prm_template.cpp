#include <PRM/PRM_Parm.h>
#include <PRM/PRM_Template.h>

PRM_Template::PRM_Template(const PRM_Type& type, int size, PRM_Name* name, PRM_Default* defaults,
                           PRM_ChoiceList* choices, PRM_Range* range, PRM_Callback callback,
                           const PRM_SpareData* spare, int, const char* help,
                           PRM_ConditionalBase* condition)
    : type_(type),
      size_(size),
      name_(name),
      defaults_(defaults),
      choices_(choices),
      range_(range),
      callback_(callback),
      spare_(spare),
      help_(help ? help : ""),
      condition_(condition)
{
}

PRM_Template::PRM_Template(PRM_MultiType type, PRM_Template* instance, fpreal /*height*/,
                           PRM_Name* name, PRM_Default* defaults, PRM_Range* range,
                           const PRM_SpareData* spare, const char* help,
                           PRM_ConditionalBase* condition)
    : PRM_Template(PRM_Type(PRM_Type::multi), 1, name, defaults, nullptr, range, PRM_Callback(),
                   spare, 1, help, condition)
{
    multi_ = type;
    instance_ = instance;
}

const PRM_Default& PRM_Template::default_of(int component) const
{
    static const PRM_Default zero;
    return defaults_ && component < std::max(size_, 1) ? defaults_[component] : zero;
}

int PRM_Template::countTemplates(const PRM_Template* list)
{
    int n = 0;
    while (list[n].getType().kind() != PRM_Type::none) ++n;
    return n;
}

PRM_Parm::PRM_Parm(const PRM_Template& t, const std::string& token)
    : template_(&t), token_(token), values_(std::size_t(std::max(t.getVectorSize(), 1)))
{
    for (std::size_t c = 0; c < values_.size(); ++c) {
        const PRM_Default& d = t.default_of(int(c));
        values_[c].number = d.getFloat();
        if (t.getType().kind() == PRM_Type::text)
            values_[c].text = d.getString();
        else if (t.getType().kind() != PRM_Type::folder)
            values_[c].expression = d.getString();
    }
}

bool PRM_Parm::isTimeDependent() const
{
    for (const Value& v : values_) {
        if (v.curve) return true;
        for (const char* clock : {"$F", "$T"})
            if (v.expression.find(clock) != std::string::npos ||
                v.text.find(clock) != std::string::npos)
                return true;
    }
    return false;
}

int PRM_Parm::getMultiParmNumItems() const
{
    return template_->getMultiType() == PRM_MULTITYPE_NONE ? 0 : int(values_[0].number);
}
