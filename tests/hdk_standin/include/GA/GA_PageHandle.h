#pragma once
#include <GA/GA_Handle.h>

/// Values of one page at a time. Reading converts; writing goes straight through.
template <class T> class GA_ROPageHandleT
{
public:
    explicit GA_ROPageHandleT(const GA_Attribute* a) : handle_(a) {}
    bool isValid() const { return handle_.isValid(); }
    bool isInvalid() const { return handle_.isInvalid(); }
    void setPage(GA_Offset) {}
    T value(GA_Offset o) const { return handle_.get(o); }
    T get(GA_Offset o) const { return handle_.get(o); }

private:
    GA_ROHandleT<T> handle_;
};

template <class T> class GA_RWPageHandleT
{
public:
    /// What `value()` returns: reads and writes the element it stands for.
    class Reference
    {
    public:
        Reference(const GA_RWHandleT<T>& h, GA_Offset o) : h_(h), o_(o) {}
        operator T() const { return h_.get(o_); }
        Reference& operator=(const T& v)
        {
            h_.set(o_, v);
            return *this;
        }
        Reference& operator=(const Reference& v) { return *this = T(v); }
        template <class B> Reference& operator+=(const B& b) { return *this = T(h_.get(o_) + b); }
        template <class B> Reference& operator-=(const B& b) { return *this = T(h_.get(o_) - b); }
        template <class B> Reference& operator*=(const B& b) { return *this = T(h_.get(o_) * b); }

    private:
        const GA_RWHandleT<T>& h_;
        GA_Offset o_;
    };

    explicit GA_RWPageHandleT(GA_Attribute* a) : handle_(a) {}
    bool isValid() const { return handle_.isValid(); }
    bool isInvalid() const { return handle_.isInvalid(); }
    void setPage(GA_Offset) {}
    Reference value(GA_Offset o) const { return Reference(handle_, o); }
    T get(GA_Offset o) const { return handle_.get(o); }
    void set(GA_Offset o, const T& v) const { handle_.set(o, v); }

private:
    GA_RWHandleT<T> handle_;
};
using GA_ROPageHandleF = GA_ROPageHandleT<fpreal32>;
using GA_RWPageHandleF = GA_RWPageHandleT<fpreal32>;
using GA_ROPageHandleI = GA_ROPageHandleT<int32>;
using GA_RWPageHandleI = GA_RWPageHandleT<int32>;
using GA_ROPageHandleV3 = GA_ROPageHandleT<UT_Vector3F>;
using GA_RWPageHandleV3 = GA_RWPageHandleT<UT_Vector3F>;
