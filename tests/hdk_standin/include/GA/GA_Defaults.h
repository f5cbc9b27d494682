#pragma once
#include <SYS/SYS_Types.h>

#include <vector>

class GA_Defaults
{
public:
    enum GA_ScalarDefault { matchTuple };
    GA_Defaults() : values_{0} {}
    GA_Defaults(fpreal32 v) : values_{fpreal(v)} {}
    GA_Defaults(fpreal64 v) : values_{v} {}
    GA_Defaults(int32 v) : values_{fpreal(v)} {}
    GA_Defaults(int64 v) : values_{fpreal(v)} {}
    GA_Defaults(const fpreal32* v, int n) : values_(v, v + n) {}
    GA_Defaults(const fpreal64* v, int n) : values_(v, v + n) {}
    /// A single value stands for every component.
    fpreal get(int component) const
    {
        return values_.size() == 1                       ? values_[0]
               : std::size_t(component) < values_.size() ? values_[std::size_t(component)]
                                                         : 0;
    }
    fpreal getF(int component) const { return get(component); }
    int64 getI(int component) const { return int64(get(component)); }

private:
    std::vector<fpreal> values_;
};
