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

/// A part of a grid.
template <class T> class UT_VoxelTile
{
public:
    UT_VoxelTile() = default;
    UT_VoxelTile(UT_VoxelArray<T>* array, const int* low, const int* high) : array_(array)
    {
        std::copy(low, low + 3, low_);
        std::copy(high, high + 3, high_);
    }
    int xres() const { return high_[0] - low_[0]; }
    int yres() const { return high_[1] - low_[1]; }
    int zres() const { return high_[2] - low_[2]; }
    bool isConstant() const
    {
        const T first = array_->getValue(low_[0], low_[1], low_[2]);
        bool constant = true;
        visit([&](int x, int y, int z) {
            constant = constant && array_->getValue(x, y, z) == first;
        });
        return constant;
    }
    void makeConstant(T value)
    {
        visit([&](int x, int y, int z) { array_->setValue(x, y, z, value); });
    }

private:
    template <class Visit> void visit(const Visit& f) const
    {
        for (int z = low_[2]; z < high_[2]; ++z)
            for (int y = low_[1]; y < high_[1]; ++y)
                for (int x = low_[0]; x < high_[0]; ++x) f(x, y, z);
    }
    UT_VoxelArray<T>* array_ = nullptr;
    int low_[3] = {}, high_[3] = {};
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
    bool isTileConstant() const { return isTileConstantIn(*array_); }
    /// The same tile of another grid of this size.
    bool isTileConstantIn(const UT_VoxelArray<T>& other) const
    {
        return UT_VoxelTile<T>(const_cast<UT_VoxelArray<T>*>(&other), low_, high_).isConstant();
    }
    UT_VoxelTile<T>* getTile()
    {
        held_ = UT_VoxelTile<T>(array_, low_, high_);
        return &held_;
    }
    /// To the last voxel: advance() goes to the next tile.
    void skipToEndOfTile()
    {
        for (int a = 0; a < 3; ++a) at_[a] = high_[a] - 1;
    }
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
    UT_VoxelTile<T> held_;
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
