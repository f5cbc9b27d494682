#pragma once
#include <SYS/SYS_Types.h>
#include <UT/UT_Vector3.h>

#include <algorithm>
#include <vector>

/// A dense grid, visited in tiles of 16³ like the real one, which is stored in them.
template <class T> class UT_VoxelArray
{
public:
    static constexpr int tile_size = 16;

    void size(int nx, int ny, int nz)
    {
        res_[0] = nx;
        res_[1] = ny;
        res_[2] = nz;
        v_.assign(std::size_t(nx) * std::size_t(ny) * std::size_t(nz), T());
    }
    int getXRes() const { return res_[0]; }
    int getYRes() const { return res_[1]; }
    int getZRes() const { return res_[2]; }
    int getRes(int axis) const { return res_[axis]; }
    int64 numVoxels() const { return int64(v_.size()); }
    int getTileRes(int axis) const { return (res_[axis] + tile_size - 1) / tile_size; }
    int numTiles() const { return getTileRes(0) * getTileRes(1) * getTileRes(2); }
    void constant(T value) { std::fill(v_.begin(), v_.end(), value); }
    T getValue(int x, int y, int z) const { return v_[index(x, y, z)]; }
    void setValue(int x, int y, int z, T value) { v_[index(x, y, z)] = value; }
    T operator()(int x, int y, int z) const { return getValue(x, y, z); }
    bool isMatching(const UT_VoxelArray& b) const { return std::equal(res_, res_ + 3, b.res_); }
    /// Trilinear at voxel coordinates (voxel centres are whole numbers), clamped at the border.
    T sample(fpreal x, fpreal y, fpreal z) const
    {
        const fpreal p[3] = {x, y, z};
        int low[3];
        fpreal s[3];
        for (int a = 0; a < 3; ++a) {
            const fpreal c = SYSclamp(p[a], 0.0, fpreal(res_[a] - 1));
            low[a] = std::min(int(c), std::max(res_[a] - 2, 0));
            s[a] = c - low[a];
        }
        fpreal sum = 0;
        for (int k = 0; k < 8; ++k) {
            fpreal w = 1;
            int at[3];
            for (int a = 0; a < 3; ++a) {
                const int up = k >> a & 1;
                w *= up ? s[a] : 1 - s[a];
                at[a] = std::min(low[a] + up, res_[a] - 1);
            }
            if (w != 0) sum += w * getValue(at[0], at[1], at[2]);
        }
        return T(sum);
    }

private:
    std::size_t index(int x, int y, int z) const
    {
        return (std::size_t(z) * std::size_t(res_[1]) + std::size_t(y)) * std::size_t(res_[0]) +
               std::size_t(x);
    }
    int res_[3] = {0, 0, 0};
    std::vector<T> v_;
};

/// Tile by tile; setPartialRange leaves each job its own tiles.
template <class T> class UT_VoxelArrayIterator
{
public:
    UT_VoxelArrayIterator() = default;
    explicit UT_VoxelArrayIterator(UT_VoxelArray<T>* array) { setArray(array); }
    void setArray(UT_VoxelArray<T>* array)
    {
        array_ = array;
        first_ = 0;
        end_ = array->numTiles();
        rewind();
    }
    void setCompressOnExit(bool) {}
    void setPartialRange(int job, int jobs)
    {
        const int tiles = array_->numTiles();
        first_ = int(int64(tiles) * job / jobs);
        end_ = int(int64(tiles) * (job + 1) / jobs);
        rewind();
    }
    void splitByTile(const class UT_JobInfo&) {}
    void rewind()
    {
        tile_ = first_;
        enter_tile();
    }
    bool atEnd() const { return tile_ >= end_; }
    void advance()
    {
        for (int a = 0; a < 3; ++a) {
            if (++at_[a] < high_[a]) return;
            at_[a] = low_[a];
        }
        ++tile_;
        enter_tile();
    }
    bool isStartOfTile() const { return std::equal(at_, at_ + 3, low_); }
    int x() const { return at_[0]; }
    int y() const { return at_[1]; }
    int z() const { return at_[2]; }
    T getValue() const { return array_->getValue(at_[0], at_[1], at_[2]); }
    void setValue(T value) const { array_->setValue(at_[0], at_[1], at_[2], value); }

private:
    void enter_tile()
    {
        if (atEnd()) return;
        int t = tile_;
        for (int a = 0; a < 3; ++a) {
            const int n = array_->getTileRes(a);
            at_[a] = low_[a] = t % n * UT_VoxelArray<T>::tile_size;
            high_[a] = std::min(low_[a] + UT_VoxelArray<T>::tile_size, array_->getRes(a));
            t /= n;
        }
    }
    UT_VoxelArray<T>* array_ = nullptr;
    int first_ = 0, end_ = 0, tile_ = 0;
    int low_[3] = {}, high_[3] = {}, at_[3] = {};
};

/// Reads at the position of an iterator.
template <class T> class UT_VoxelProbe
{
public:
    void setArray(UT_VoxelArray<T>* array) { array_ = array; }
    void setConstArray(const UT_VoxelArray<T>* array) { array_ = array; }
    template <class S> void setIndex(const UT_VoxelArrayIterator<S>& it)
    {
        setIndex(it.x(), it.y(), it.z());
    }
    bool setIndex(int x, int y, int z)
    {
        at_[0] = x;
        at_[1] = y;
        at_[2] = z;
        return true;
    }
    T getValue() const { return array_->getValue(at_[0], at_[1], at_[2]); }

private:
    const UT_VoxelArray<T>* array_ = nullptr;
    int at_[3] = {};
};

using UT_VoxelArrayF = UT_VoxelArray<fpreal32>;
using UT_VoxelArrayIteratorF = UT_VoxelArrayIterator<fpreal32>;
using UT_VoxelProbeF = UT_VoxelProbe<fpreal32>;
