#pragma once
#include <GA/GA_Attribute.h>

class GA_ROAttributeRef
{
public:
    GA_ROAttributeRef() = default;
    GA_ROAttributeRef(const GA_Attribute* a) : a_(a) {}
    bool isValid() const { return a_ != nullptr; }
    bool isInvalid() const { return !a_; }
    const GA_Attribute* getAttribute() const { return a_; }
    const GA_Attribute* get() const { return a_; }
    const GA_Attribute* operator->() const { return a_; }
    const GA_AIFTuple* getAIFTuple() const { return a_ ? a_->getAIFTuple() : nullptr; }

protected:
    const GA_Attribute* a_ = nullptr;
};

class GA_RWAttributeRef : public GA_ROAttributeRef
{
public:
    GA_RWAttributeRef() = default;
    GA_RWAttributeRef(GA_Attribute* a) : GA_ROAttributeRef(a) {}
    GA_Attribute* getAttribute() const { return const_cast<GA_Attribute*>(a_); }
    GA_Attribute* get() const { return getAttribute(); }
    GA_Attribute* operator->() const { return getAttribute(); }
    void setTypeInfo(GA_TypeInfo type) const { getAttribute()->setTypeInfo(type); }
};
