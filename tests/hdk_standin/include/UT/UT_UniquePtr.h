#pragma once
#include <memory>
template <class T> using UT_UniquePtr = std::unique_ptr<T>;
template <class T, class... Args> UT_UniquePtr<T> UTmakeUnique(Args&&... args)
{
    return std::make_unique<T>(std::forward<Args>(args)...);
}
