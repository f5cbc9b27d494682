#pragma once
#include <SYS/SYS_Types.h>

#include <vector>

/// Sizes of polygons, run-length encoded.
class GEO_PolyCounts
{
public:
    struct Run {
        int size;
        exint count;
    };
    void append(int size, exint count = 1)
    {
        if (!runs_.empty() && runs_.back().size == size)
            runs_.back().count += count;
        else
            runs_.push_back({size, count});
    }
    void clear() { runs_.clear(); }
    exint getNumPolygons() const
    {
        exint n = 0;
        for (const Run& r : runs_) n += r.count;
        return n;
    }
    exint getNumVertices() const
    {
        exint n = 0;
        for (const Run& r : runs_) n += r.count * r.size;
        return n;
    }
    const std::vector<Run>& runs() const { return runs_; }

private:
    std::vector<Run> runs_;
};
