#include <SOP/SOP_NodeVerb.h>

namespace
{
std::map<std::string, const SOP_NodeVerb*>& verbs()
{
    static std::map<std::string, const SOP_NodeVerb*> all;
    return all;
}
/// Registered while libraries load, before their names can be asked for.
std::vector<const SOP_NodeVerb*>& unnamed()
{
    static std::vector<const SOP_NodeVerb*> all;
    return all;
}
} // namespace

void SOP_NodeVerb::registerVerb(const SOP_NodeVerb* verb) { unnamed().push_back(verb); }

const SOP_NodeVerb* SOP_NodeVerb::lookupVerb(const char* name)
{
    for (const SOP_NodeVerb* v : unnamed()) verbs()[v->name().c_str()] = v;
    unnamed().clear();
    const auto it = verbs().find(name);
    return it == verbs().end() ? nullptr : it->second;
}

OP_ERROR SOP_NodeVerb::CookParms::sopAddError(int code, const char* text) const
{
    return errors_->add("SOP", code, text, UT_ERROR_ABORT);
}
OP_ERROR SOP_NodeVerb::CookParms::sopAddWarning(int code, const char* text) const
{
    return errors_->add("SOP", code, text, UT_ERROR_WARNING);
}
OP_ERROR SOP_NodeVerb::CookParms::sopAddMessage(int code, const char* text) const
{
    return errors_->add("SOP", code, text, UT_ERROR_MESSAGE);
}

void SOP_NodeParmsOptions::loadFromOpSubclass(const LoadParms& parms)
{
    node_ = &parms.graph()->node();
    // Values are read when asked for; the real one copies them here, so time dependence is known
    // now.
    for (const PRM_Template* t = templates_; t->getType().kind() != PRM_Type::none; ++t)
        if (t->getType().isFloatType() || t->getType().isOrdinalType())
            node_->evalFloat(t->getToken(), 0, parms.context().getTime());
}
fpreal SOP_NodeParmsOptions::number(const char* name, int component, fpreal time) const
{
    return node_->evalFloat(name, component, time);
}
std::string SOP_NodeParmsOptions::text(const char* name, int component, fpreal time) const
{
    UT_String s;
    node_->evalString(s, name, component, time);
    return s.c_str();
}

void SOP_NodeCacheOptions::doCook(const SOP_NodeVerb*, const SOP_NodeVerb::CookParms& cookparms)
{
    cookparms_ = &cookparms;
    gdp = cookparms.gdh().gdpNC();
    OP_Context context = cookparms.getContext();
    cook(context);
    gdp = nullptr;
    cookparms_ = nullptr;
}
fpreal SOP_NodeCacheOptions::evalFloat(const char* name, int component, fpreal time) const
{
    return cookparms_->parms<SOP_NodeParmsOptions>().number(name, component, time);
}
exint SOP_NodeCacheOptions::evalInt(const char* name, int component, fpreal time) const
{
    return exint(evalFloat(name, component, time));
}
void SOP_NodeCacheOptions::evalString(UT_String& text, const char* name, int component,
                                      fpreal time) const
{
    text = cookparms_->parms<SOP_NodeParmsOptions>().text(name, component, time).c_str();
}
UT_StringHolder SOP_NodeCacheOptions::evalStdString(const char* name, fpreal time) const
{
    return UT_StringHolder(cookparms_->parms<SOP_NodeParmsOptions>().text(name, 0, time));
}
OP_ERROR SOP_NodeCacheOptions::addError(int code, const char* text)
{
    return cookparms_->sopAddError(code, text);
}
OP_ERROR SOP_NodeCacheOptions::addWarning(int code, const char* text)
{
    return cookparms_->sopAddWarning(code, text);
}
OP_ERROR SOP_NodeCacheOptions::addMessage(int code, const char* text)
{
    return cookparms_->sopAddMessage(code, text);
}
