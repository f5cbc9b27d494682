#pragma once
#include <ostream>
template <class T> std::ostream& UTwrite(std::ostream& out, const T* values, std::size_t count = 1)
{
    return out.write(reinterpret_cast<const char*>(values), std::streamsize(sizeof(T) * count));
}
