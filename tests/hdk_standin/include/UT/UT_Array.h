#pragma once
#include <SYS/SYS_Types.h>
#include <UT/UT_Assert.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

template <class T> class UT_Array
{
public:
    UT_Array() = default;
    explicit UT_Array(exint capacity, exint size = 0) : v_(std::size_t(size))
    {
        v_.reserve(std::size_t(std::max(capacity, size)));
    }
    UT_Array(std::initializer_list<T> init) : v_(init) {}

    exint entries() const { return exint(v_.size()); }
    exint size() const { return exint(v_.size()); }
    exint capacity() const { return exint(v_.capacity()); }
    bool isEmpty() const { return v_.empty(); }
    void entries(exint n) { v_.resize(std::size_t(n)); }
    void setSize(exint n) { v_.resize(std::size_t(n)); }
    void setSizeNoInit(exint n) { v_.resize(std::size_t(n)); }
    void setSizeIfNeeded(exint n) { v_.resize(std::size_t(n)); }
    void setCapacity(exint n) { v_.reserve(std::size_t(n)); }
    void bumpSize(exint n) { v_.resize(std::size_t(n)); }
    void clear() { v_.clear(); }
    exint append(const T& value)
    {
        v_.push_back(value);
        return size() - 1;
    }
    exint append() { return append(T()); }
    void concat(const UT_Array& b) { v_.insert(v_.end(), b.v_.begin(), b.v_.end()); }
    void constant(const T& value) { std::fill(v_.begin(), v_.end(), value); }
    void removeIndex(exint i) { v_.erase(v_.begin() + i); }
    void removeLast() { v_.pop_back(); }
    exint find(const T& value, exint start = 0) const
    {
        const auto it = std::find(v_.begin() + start, v_.end(), value);
        return it == v_.end() ? -1 : exint(it - v_.begin());
    }
    T& operator()(exint i) { return at(i); }
    const T& operator()(exint i) const { return at(i); }
    T& operator[](exint i) { return at(i); }
    const T& operator[](exint i) const { return at(i); }
    T& last() { return v_.back(); }
    const T& last() const { return v_.back(); }
    T* array() { return v_.data(); }
    const T* array() const { return v_.data(); }
    T* data() { return v_.data(); }
    const T* data() const { return v_.data(); }
    auto begin() { return v_.begin(); }
    auto end() { return v_.end(); }
    auto begin() const { return v_.begin(); }
    auto end() const { return v_.end(); }

private:
    T& at(exint i)
    {
        UT_ASSERT(i >= 0 && i < size());
        return v_[std::size_t(i)];
    }
    const T& at(exint i) const
    {
        UT_ASSERT(i >= 0 && i < size());
        return v_[std::size_t(i)];
    }
    std::vector<T> v_;
};

template <class T> using UT_ValArray = UT_Array<T>;
using UT_IntArray = UT_Array<int>;
using UT_FloatArray = UT_Array<float>;
using UT_ExintArray = UT_Array<exint>;
