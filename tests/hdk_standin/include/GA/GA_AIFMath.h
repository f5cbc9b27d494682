#pragma once
#include <GA/GA_Attribute.h>

/// d = a ∘ b, component by component. None of these depends on the object they are called on.
class GA_AIFMath
{
public:
    bool add(GA_Attribute& d, GA_Offset di, const GA_Attribute& a, GA_Offset ai,
             const GA_Attribute& b, GA_Offset bi) const;
    bool sub(GA_Attribute& d, GA_Offset di, const GA_Attribute& a, GA_Offset ai,
             const GA_Attribute& b, GA_Offset bi) const;
    bool mul(GA_Attribute& d, GA_Offset di, const GA_Attribute& a, GA_Offset ai,
             fpreal scale) const;
    bool lerp(GA_Attribute& d, GA_Offset di, const GA_Attribute& a, GA_Offset ai,
              const GA_Attribute& b, GA_Offset bi, fpreal s) const;
};
