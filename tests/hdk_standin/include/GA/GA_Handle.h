#pragma once
#include <GA/GA_AIFTuple.h>
#include <GA/GA_AttributeRef.h>
#include <GA/GA_Detail.h>
#include <UT/UT_Matrix3.h>
#include <UT/UT_Quaternion.h>
#include <UT/UT_Vector2.h>

#include <type_traits>

namespace standin
{
/// How a value is made of components.
template <class T, class = void> struct HandleTraits {
    using Component = typename T::value_type;
    static constexpr int size = T::tuple_size;
    static Component* components(T& v) { return v.data(); }
};
template <class T> struct HandleTraits<T, std::enable_if_t<std::is_arithmetic_v<T>>> {
    using Component = T;
    static constexpr int size = 1;
    static T* components(T& v) { return &v; }
};
template <class S> struct HandleTraits<UT_Matrix3T<S>> {
    using Component = S;
    static constexpr int size = 9;
    static S* components(UT_Matrix3T<S>& v) { return v.data(); }
};
template <class C> constexpr GA_Storage storage_of()
{
    return std::is_same_v<C, float>    ? GA_STORE_REAL32
           : std::is_same_v<C, double> ? GA_STORE_REAL64
           : std::is_same_v<C, int32>  ? GA_STORE_INT32
           : std::is_same_v<C, int64>  ? GA_STORE_INT64
                                       : GA_STORE_INVALID;
}
template <class C> C read_component(const GA_Attribute& a, GA_Offset o, int c)
{
    if constexpr (std::is_integral_v<C>)
        return C(a.integer(o, c));
    else
        return C(a.number(o, c));
}
template <class C> void write_component(GA_Attribute& a, GA_Offset o, int c, C v)
{
    if constexpr (std::is_integral_v<C>)
        a.set_integer(o, c, v);
    else
        a.set_number(o, c, fpreal(v));
}
} // namespace standin

/// Reads an attribute as T, converting where it is stored otherwise.
template <class T> class GA_ROHandleT
{
public:
    using Traits = standin::HandleTraits<T>;
    using Component = typename Traits::Component;

    GA_ROHandleT() = default;
    GA_ROHandleT(const GA_Attribute* a) { bind(a); }
    GA_ROHandleT(const GA_ROAttributeRef& a) { bind(a.getAttribute()); }
    GA_ROHandleT(const GA_Detail* detail, GA_AttributeOwner owner, const UT_StringRef& name,
                 int minsize = 1)
    {
        bind(detail, owner, name, minsize);
    }
    void bind(const GA_Attribute* a, int minsize = 1)
    {
        a_ = a && a->getAIFTuple() && a->getTupleSize() >= std::max(Traits::size, minsize)
                 ? a
                 : nullptr;
    }
    void bind(const GA_Detail* detail, GA_AttributeOwner owner, const UT_StringRef& name,
              int minsize = 1)
    {
        bind(detail->findAttribute(owner, name), minsize);
    }
    void clear() { a_ = nullptr; }
    bool isValid() const { return a_ != nullptr; }
    bool isInvalid() const { return !a_; }
    int getTupleSize() const { return a_->getTupleSize(); }
    const GA_Attribute* getAttribute() const { return a_; }
    const GA_Attribute* operator->() const { return a_; }
    GA_DataId getDataId() const { return a_->getDataId(); }

    T get(GA_Offset o, int component = 0) const
    {
        T v{};
        Component* c = Traits::components(v);
        if (a_->storage() == standin::storage_of<Component>())
            std::memcpy(c, a_->bytes(o) + std::size_t(component) * sizeof(Component),
                        sizeof(Component) * std::size_t(Traits::size));
        else
            for (int i = 0; i < Traits::size; ++i)
                c[i] = standin::read_component<Component>(*a_, o, component + i);
        return v;
    }
    T operator()(GA_Offset o, int component = 0) const { return get(o, component); }
    bool getBlock(GA_Offset start, GA_Size n, T* out, int stride = 1, int component = 0) const
    {
        for (GA_Size i = 0; i < n; ++i) out[i * stride] = get(start + i, component);
        return true;
    }
    /// In index order, whatever holes there are.
    bool getBlockFromIndices(GA_Index start, GA_Size n, T* out, int stride = 1,
                             int component = 0) const
    {
        const GA_IndexMap& map = a_->getIndexMap();
        for (GA_Size i = 0; i < n; ++i)
            out[i * stride] = get(map.offsetFromIndex(start + i), component);
        return true;
    }

protected:
    const GA_Attribute* a_ = nullptr;
};

template <class T> class GA_RWHandleT : public GA_ROHandleT<T>
{
public:
    using Traits = standin::HandleTraits<T>;
    using Component = typename Traits::Component;

    GA_RWHandleT() = default;
    GA_RWHandleT(GA_Attribute* a) : GA_ROHandleT<T>(a) {}
    GA_RWHandleT(const GA_RWAttributeRef& a) : GA_ROHandleT<T>(a.getAttribute()) {}
    GA_RWHandleT(GA_Detail* detail, GA_AttributeOwner owner, const UT_StringRef& name,
                 int minsize = 1)
        : GA_ROHandleT<T>(detail, owner, name, minsize)
    {
    }
    GA_Attribute* getAttribute() const { return const_cast<GA_Attribute*>(this->a_); }
    GA_Attribute* operator->() const { return getAttribute(); }
    void bumpDataId() const { getAttribute()->bumpDataId(); }

    void set(GA_Offset o, const T& value) const { set(o, 0, value); }
    void set(GA_Offset o, int component, T value) const
    {
        GA_Attribute& a = *getAttribute();
        const Component* c = Traits::components(value);
        if (a.storage() == standin::storage_of<Component>())
            std::memcpy(a.own_bytes(o) + std::size_t(component) * sizeof(Component), c,
                        sizeof(Component) * std::size_t(Traits::size));
        else
            for (int i = 0; i < Traits::size; ++i)
                standin::write_component<Component>(a, o, component + i, c[i]);
    }
    void add(GA_Offset o, const T& value) const { set(o, T(this->get(o) + value)); }
    bool setBlock(GA_Offset start, GA_Size n, const T* in, int stride = 1, int component = 0) const
    {
        for (GA_Size i = 0; i < n; ++i) set(start + i, component, in[i * stride]);
        return true;
    }
    bool setBlockFromIndices(GA_Index start, GA_Size n, const T* in, int stride = 1,
                             int component = 0) const
    {
        const GA_IndexMap& map = this->a_->getIndexMap();
        for (GA_Size i = 0; i < n; ++i)
            set(map.offsetFromIndex(start + i), component, in[i * stride]);
        return true;
    }
};

class GA_ROHandleS
{
public:
    GA_ROHandleS() = default;
    GA_ROHandleS(const GA_Attribute* a) : a_(a && a->getAIFSharedStringTuple() ? a : nullptr) {}
    GA_ROHandleS(const GA_Detail* detail, GA_AttributeOwner owner, const UT_StringRef& name)
        : GA_ROHandleS(detail->findAttribute(owner, name))
    {
    }
    bool isValid() const { return a_ != nullptr; }
    bool isInvalid() const { return !a_; }
    const UT_StringHolder& get(GA_Offset o, int component = 0) const
    {
        return a_->text(o, component);
    }
    const GA_Attribute* getAttribute() const { return a_; }

protected:
    const GA_Attribute* a_ = nullptr;
};
class GA_RWHandleS : public GA_ROHandleS
{
public:
    GA_RWHandleS() = default;
    GA_RWHandleS(GA_Attribute* a) : GA_ROHandleS(a) {}
    GA_RWHandleS(GA_Detail* detail, GA_AttributeOwner owner, const UT_StringRef& name)
        : GA_ROHandleS(detail, owner, name)
    {
    }
    GA_Attribute* getAttribute() const { return const_cast<GA_Attribute*>(a_); }
    void set(GA_Offset o, const UT_StringHolder& text) const { set(o, 0, text); }
    void set(GA_Offset o, int component, const UT_StringHolder& text) const
    {
        getAttribute()->set_text(o, component, text);
    }
    void bumpDataId() const { getAttribute()->bumpDataId(); }
};

#define STANDIN_HANDLE(SUFFIX, TYPE)                                                               \
    using GA_ROHandle##SUFFIX = GA_ROHandleT<TYPE>;                                                \
    using GA_RWHandle##SUFFIX = GA_RWHandleT<TYPE>;
STANDIN_HANDLE(F, fpreal32)
STANDIN_HANDLE(D, fpreal64)
STANDIN_HANDLE(R, fpreal)
STANDIN_HANDLE(I, int32)
STANDIN_HANDLE(ID, int64)
STANDIN_HANDLE(V2, UT_Vector2F)
STANDIN_HANDLE(V2D, UT_Vector2D)
STANDIN_HANDLE(V3, UT_Vector3F)
STANDIN_HANDLE(V3D, UT_Vector3D)
STANDIN_HANDLE(V4, UT_Vector4F)
STANDIN_HANDLE(V4D, UT_Vector4D)
STANDIN_HANDLE(Q, UT_QuaternionF)
STANDIN_HANDLE(QD, UT_QuaternionD)
STANDIN_HANDLE(M3, UT_Matrix3F)
STANDIN_HANDLE(M3D, UT_Matrix3D)
#undef STANDIN_HANDLE
