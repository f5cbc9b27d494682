// Parameters of nodes: values, expressions, curves, multi-parameter instances.
#include "tests/hdk_standin/expression.h"

#include <OP/OP_Director.h>
#include <OP/OP_Node.h>

#include <cmath>

PRM_Parm* OP_Node::find_parm(const std::string& name) const
{
    for (const auto& p : parms_)
        if (name == p->getToken()) return p.get();
    return nullptr;
}

void OP_Node::add_parms(const PRM_Template* list, const std::string& instance)
{
    for (; list && list->getType().kind() != PRM_Type::none; ++list) {
        std::string token = list->getToken();
        const auto hash = token.find('#');
        if (hash != std::string::npos) token.replace(hash, 1, instance);
        parms_.push_back(std::make_unique<PRM_Parm>(*list, token));
        if (const int n = parms_.back()->getMultiParmNumItems())
            for (int i = 1; i <= n; ++i) add_parms(list->getMultiParmTemplate(), std::to_string(i));
    }
}

void OP_Node::resize_multi(const PRM_Parm& parm, int count)
{
    const PRM_Template* inside = parm.getTemplatePtr()->getMultiParmTemplate();
    for (int i = 1; i <= count; ++i)
        for (const PRM_Template* t = inside; t->getType().kind() != PRM_Type::none; ++t) {
            std::string token = t->getToken();
            const auto hash = token.find('#');
            if (hash != std::string::npos) token.replace(hash, 1, std::to_string(i));
            if (!find_parm(token)) parms_.push_back(std::make_unique<PRM_Parm>(*t, token));
        }
}

fpreal OP_Node::evaluate(const std::string& expression, fpreal time) const
{
    return standin::evaluate_expression(expression, [&](const std::string& name) -> double {
        if (name == "FF" || name == "F") {
            flags_.setTimeDep(true);
            const fpreal frame = CHgetSampleFromTime(time);
            return name == "F" ? std::floor(frame + 0.5) : frame;
        }
        if (name == "T") {
            flags_.setTimeDep(true);
            return time;
        }
        for (const CH_LocalVariable* v = operator_->getVariables(); v && v->name; ++v)
            if (name == v->name) {
                fpreal value = 0;
                const_cast<OP_Node*>(this)->evalVariableValue(value, v->index, 0);
                return value;
            }
        fpreal value = 0;
        built_in_variable(name, value);
        return value;
    });
}

fpreal OP_Node::number_of(const PRM_Parm& parm, int component, fpreal time) const
{
    const PRM_Parm::Value& v = parm.values()[std::size_t(component)];
    fpreal value = v.number;
    if (v.curve) {
        flags_.setTimeDep(true);
        value = v.curve(time);
    } else if (!v.expression.empty()) {
        value = evaluate(v.expression, time);
    }
    const PRM_Range* range = parm.getTemplatePtr()->getRangePtr();
    return range ? range->clamp(value) : value;
}

std::string OP_Node::text_of(const PRM_Parm& parm, int component, fpreal time) const
{
    const PRM_Template& t = *parm.getTemplatePtr();
    if (!t.getType().isStringType()) {
        const fpreal number = number_of(parm, component, time);
        if (const PRM_ChoiceList* menu = t.getChoiceListPtr())
            if (number >= 0 && std::size_t(number) < menu->names().size())
                return menu->names()[std::size_t(number)].getToken();
        UT_WorkBuffer text;
        text.sprintf("%g", number);
        return text.buffer();
    }
    std::string text = parm.values()[std::size_t(component)].text;
    for (std::size_t at; (at = text.find("$F")) != std::string::npos;) {
        flags_.setTimeDep(true);
        std::size_t end = at + 2;
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
        const int width = end > at + 2 ? std::stoi(text.substr(at + 2, end - at - 2)) : 0;
        UT_WorkBuffer frame;
        frame.sprintf("%0*d", width, int(std::floor(CHgetSampleFromTime(time) + 0.5)));
        text.replace(at, end - at, frame.buffer());
    }
    return text;
}

fpreal OP_Node::evalFloat(const char* name, int component, fpreal time) const
{
    const PRM_Parm* p = find_parm(name);
    return p ? number_of(*p, component, time) : 0;
}
namespace
{
/// Where a parameter is, once it has been looked for.
int found_at(const OP_Node& node, const char* name, int* where)
{
    if (*where < 0) *where = node.getParmIndex(name);
    return *where;
}
} // namespace

fpreal OP_Node::evalFloat(const char* name, int* where, int component, fpreal time) const
{
    const int i = found_at(*this, name, where);
    return i < 0 ? 0 : evalFloat(i, component, time);
}
int OP_Node::evalInt(const char* name, int* where, int component, fpreal time) const
{
    const int i = found_at(*this, name, where);
    return i < 0 ? 0 : evalInt(i, component, time);
}
void OP_Node::evalString(UT_String& text, const char* name, int* where, int component,
                         fpreal time) const
{
    const int i = found_at(*this, name, where);
    text = "";
    if (i >= 0) evalString(text, i, component, time);
}
int* OP_Node::allocIndirect(int size)
{
    int* where = new int[std::size_t(size)]; // kept by the node's class for good, as in the HDK
    std::fill(where, where + size, -1);
    return where;
}

fpreal OP_Node::evalFloat(int parm, int component, fpreal time) const
{
    return number_of(getParm(parm), component, time);
}
int OP_Node::evalInt(const char* name, int component, fpreal time) const
{
    const PRM_Parm* p = find_parm(name);
    if (!p) return 0;
    if (p->getType().isStringType()) { // a string menu: the position of its token
        const std::string token = text_of(*p, component, time);
        if (const PRM_ChoiceList* menu = p->getTemplatePtr()->getChoiceListPtr())
            for (std::size_t i = 0; i < menu->names().size(); ++i)
                if (token == menu->names()[i].getToken()) return int(i);
        return std::atoi(token.c_str());
    }
    return int(number_of(*p, component, time));
}
int OP_Node::evalInt(int parm, int component, fpreal time) const
{
    return int(evalFloat(parm, component, time));
}
void OP_Node::evalString(UT_String& text, const char* name, int component, fpreal time) const
{
    const PRM_Parm* p = find_parm(name);
    text = p ? text_of(*p, component, time).c_str() : "";
}
void OP_Node::evalString(UT_String& text, int parm, int component, fpreal time) const
{
    text = text_of(getParm(parm), component, time).c_str();
}
void OP_Node::evalString(UT_StringHolder& text, const char* name, int component, fpreal time) const
{
    UT_String s;
    evalString(s, name, component, time);
    text = UT_StringHolder(s);
}
void OP_Node::evalFloats(const char* name, fpreal* values, fpreal time) const
{
    const PRM_Parm* p = find_parm(name);
    for (int c = 0; p && c < p->getVectorSize(); ++c) values[c] = number_of(*p, c, time);
}
UT_Vector3D OP_Node::evalVector3(const char* name, fpreal time) const
{
    return UT_Vector3D(evalFloat(name, 0, time), evalFloat(name, 1, time),
                       evalFloat(name, 2, time));
}

namespace
{
std::string instance_name(const char* name, const int* index)
{
    std::string token = name;
    const auto hash = token.find('#');
    if (hash != std::string::npos) token.replace(hash, 1, std::to_string(*index));
    return token;
}
} // namespace

fpreal OP_Node::evalFloatInst(const char* name, const int* i, int component, fpreal time) const
{
    return evalFloat(instance_name(name, i).c_str(), component, time);
}
int OP_Node::evalIntInst(const char* name, const int* i, int component, fpreal time) const
{
    return evalInt(instance_name(name, i).c_str(), component, time);
}
void OP_Node::evalStringInst(const char* name, const int* i, UT_String& text, int component,
                             fpreal time) const
{
    evalString(text, instance_name(name, i).c_str(), component, time);
}

void OP_Node::parm_changed(PRM_Parm& parm)
{
    parm.mark_changed();
    if (const int n = parm.getMultiParmNumItems()) resize_multi(parm, n);
    opChanged(OP_PARM_CHANGED);
    mark_dirty();
}

bool OP_Node::setFloat(const char* name, int component, fpreal, fpreal value)
{
    PRM_Parm* p = find_parm(name);
    if (!p) return false;
    PRM_Parm::Value& v = p->values()[std::size_t(component)];
    v = PRM_Parm::Value{value, v.text, "", nullptr};
    parm_changed(*p);
    return true;
}
bool OP_Node::setInt(const char* name, int component, fpreal time, exint value)
{
    return setFloat(name, component, time, fpreal(value));
}

bool OP_Node::setString(const UT_String& text, CH_StringMeaning meaning, const char* name,
                        int component, fpreal)
{
    PRM_Parm* p = find_parm(name);
    if (!p) return false;
    PRM_Parm::Value& v = p->values()[std::size_t(component)];
    v.curve = nullptr;
    if (meaning == CH_OLD_EXPRESSION) {
        v.expression = text.c_str();
    } else if (p->getType().isStringType()) {
        v.text = text.c_str();
    } else {
        v.expression.clear();
        v.number = text.toFloat();
        if (const PRM_ChoiceList* menu = p->getTemplatePtr()->getChoiceListPtr())
            for (std::size_t i = 0; i < menu->names().size(); ++i)
                if (text == menu->names()[i].getToken()) v.number = fpreal(i);
    }
    parm_changed(*p);
    return true;
}

void OP_Node::animate(const char* name, int component, std::function<fpreal(fpreal)> curve)
{
    PRM_Parm* p = find_parm(name);
    if (!p) return;
    p->values()[std::size_t(component)].curve = std::move(curve);
    parm_changed(*p);
}

bool OP_Node::press(const char* button)
{
    const PRM_Parm* p = find_parm(button);
    const PRM_CallbackFunc f = p ? p->getTemplatePtr()->getCallback() : nullptr;
    return f && f(this, 0, CHgetEvalTime(), p->getTemplatePtr());
}

int OP_Node::getParmIndex(const char* name) const
{
    for (std::size_t i = 0; i < parms_.size(); ++i)
        if (std::string(name) == parms_[i]->getToken()) return int(i);
    return -1;
}

bool OP_Node::evalVariableValue(fpreal&, int, int) { return false; }
bool OP_Node::evalVariableValue(UT_String&, int, int) { return false; }

bool OP_Node::enableParm(int parm, int state, int component)
{
    return enableParm(getParm(parm).getToken(), state, component);
}
bool OP_Node::enableParm(const char* name, int state, int)
{
    const bool was = parm_enabled(name);
    if (was && !state) disabled_.push_back(name);
    if (!was && state) disabled_.erase(std::find(disabled_.begin(), disabled_.end(), name));
    return was != (state != 0);
}
bool OP_Node::setVisibleState(const char*, bool, int) { return true; }
bool OP_Node::parm_enabled(const char* name) const
{
    return std::find(disabled_.begin(), disabled_.end(), name) == disabled_.end();
}
