#pragma once
#include <GA/GA_Attribute.h>

class GA_AIFSharedStringTuple
{
public:
    const char* getString(const GA_Attribute* a, GA_Offset o, int component = 0) const
    {
        return a->text(o, component).c_str();
    }
    bool setString(GA_Attribute* a, GA_Offset o, const char* text, int component = 0) const
    {
        a->set_text(o, component, text);
        return true;
    }
};
