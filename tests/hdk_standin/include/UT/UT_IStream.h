#pragma once
#include <UT/UT_String.h>

#include <istream>
#include <sstream>

/// Reads what SIM data was saved as; `bread` is binary.
class UT_IStream
{
public:
    explicit UT_IStream(std::istream& in) : in_(&in) {}
    template <class T> int bread(T* values, exint count = 1)
    {
        in_->read(reinterpret_cast<char*>(values), std::streamsize(sizeof(T)) * count);
        return int(in_->gcount() / std::streamsize(sizeof(T)));
    }
    bool isError() const { return in_->fail(); }
    std::istream& stream() { return *in_; }

private:
    std::istream* in_;
};
