#pragma once
#include <memory>
template <class T> using UT_SharedPtr = std::shared_ptr<T>;
template <class T> using UT_WeakPtr = std::weak_ptr<T>;
template <class T, class... Args> UT_SharedPtr<T> UTmakeShared(Args&&... args)
{
    return std::make_shared<T>(std::forward<Args>(args)...);
}
