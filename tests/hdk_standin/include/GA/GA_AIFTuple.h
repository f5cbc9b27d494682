#pragma once
#include <GA/GA_Attribute.h>

/// Component-wise access without knowing the storage.
class GA_AIFTuple
{
public:
    GA_Storage getStorage(const GA_Attribute* a) const { return a->storage(); }
    bool setStorage(GA_Attribute* a, GA_Storage storage) const { return a->set_storage(storage); }
    int getTupleSize(const GA_Attribute* a) const { return a->getTupleSize(); }
    bool get(const GA_Attribute* a, GA_Offset o, fpreal32& v, int component = 0) const
    {
        v = fpreal32(a->number(o, component));
        return true;
    }
    bool get(const GA_Attribute* a, GA_Offset o, fpreal64& v, int component = 0) const
    {
        v = a->number(o, component);
        return true;
    }
    bool get(const GA_Attribute* a, GA_Offset o, int32& v, int component = 0) const
    {
        v = int32(a->integer(o, component));
        return true;
    }
    bool get(const GA_Attribute* a, GA_Offset o, int64& v, int component = 0) const
    {
        v = a->integer(o, component);
        return true;
    }
    template <class T>
    bool get(const GA_Attribute* a, GA_Offset o, T* v, int count, int start = 0) const
    {
        for (int c = 0; c < count; ++c)
            if (!get(a, o, v[c], start + c)) return false;
        return true;
    }
    bool set(GA_Attribute* a, GA_Offset o, fpreal64 v, int component = 0) const
    {
        a->set_number(o, component, v);
        return true;
    }
    bool set(GA_Attribute* a, GA_Offset o, int32 v, int component = 0) const
    {
        a->set_integer(o, component, v);
        return true;
    }
    bool set(GA_Attribute* a, GA_Offset o, int64 v, int component = 0) const
    {
        a->set_integer(o, component, v);
        return true;
    }
};
