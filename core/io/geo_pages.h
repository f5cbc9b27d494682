#pragma once

#include "core/io/json_reader.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace selvage
{

/// How "rawpagedata" is laid out. Elements come in pages of `page_size`; within a page, each packet
/// of components ("packing": [3, 1] puts xyz of all elements before w of all elements) is stored
/// whole, or once where its constant flag for that page is set.
struct PageLayout {
    std::int64_t page_size = 0;
    std::vector<std::int32_t> packing;                // empty: all components together
    std::vector<std::vector<std::uint8_t>> constants; // per packet, per page; empty: none
};

/// Appends an array of numbers, flattening arrays of tuples.
template <class T> void read_flat(JsonReader& in, std::vector<T>& out)
{
    // Look one level down without consuming it: nested arrays only ever hold arrays.
    if (!in.next_array_is_nested()) {
        in.append_numbers(out);
        return;
    }
    in.enter_array();
    while (!in.at_end()) in.append_numbers(out);
}

/// Reorders pages into elements; raw holds exactly what the layout asks for.
template <class T>
std::vector<T> unpack_pages(JsonReader& in, const std::vector<T>& raw, const PageLayout& layout,
                            std::size_t elements, std::size_t size)
{
    std::vector<std::size_t> packing(layout.packing.begin(), layout.packing.end());
    if (packing.empty()) packing.push_back(size);
    if (std::any_of(layout.packing.begin(), layout.packing.end(), [](auto p) { return p < 1; }) ||
        std::accumulate(packing.begin(), packing.end(), std::size_t(0)) != size)
        in.fail("The packing does not add up to the tuple size");
    in.budget().charge(elements * size, sizeof(T), "values");
    std::vector<T> out(elements * size);
    const auto page_size = std::size_t(layout.page_size);
    std::size_t at = 0;
    for (std::size_t first = 0, page = 0; first < elements; first += page_size, ++page) {
        const std::size_t count = std::min(page_size, elements - first);
        std::size_t component = 0;
        for (std::size_t k = 0; k < packing.size(); ++k) {
            const std::size_t width = packing[k];
            const auto* flags = k < layout.constants.size() ? &layout.constants[k] : nullptr;
            const bool constant = flags && page < flags->size() && (*flags)[page];
            const std::size_t need = (constant ? 1 : count) * width;
            if (need > raw.size() - at) in.fail("The page data is too short");
            for (std::size_t i = 0; i < count; ++i)
                std::copy_n(raw.begin() + std::ptrdiff_t(at + (constant ? 0 : i * width)), width,
                            out.begin() + std::ptrdiff_t((first + i) * size + component));
            at += need;
            component += width;
        }
    }
    if (at != raw.size()) in.fail("The page data is too long");
    return out;
}

/// Component arrays [[x x x ...], [y y y ...], ...] into tuples.
template <class T>
void read_component_arrays(JsonReader& in, std::vector<T>& out, std::size_t elements,
                           std::size_t size)
{
    std::vector<T> flat;
    std::size_t arrays = 0;
    in.enter_array();
    for (; !in.at_end(); ++arrays) {
        in.append_numbers(flat);
        if (flat.size() != (arrays + 1) * elements)
            in.fail("Component " + std::to_string(arrays) + " has not one value for each element");
    }
    if (arrays != size && !(elements == 0 && arrays == 0))
        in.fail(std::to_string(arrays) + " component arrays for tuples of " + std::to_string(size));
    if (size == 1) {
        out = std::move(flat);
        return;
    }
    out.resize(flat.size());
    for (std::size_t c = 0; c < size; ++c)
        for (std::size_t i = 0; i < elements; ++i) out[i * size + c] = flat[c * elements + i];
}

template <class T> void read_tuples(JsonReader& in, std::vector<T>& out, std::size_t size)
{
    in.enter_array();
    for (std::size_t i = 0; !in.at_end(); ++i) {
        const std::size_t before = out.size();
        in.append_numbers(out);
        if (out.size() - before != size)
            in.fail("Tuple " + std::to_string(i) + " has " + std::to_string(out.size() - before) +
                    " of " + std::to_string(size) + " components");
    }
}

/// The values block of an attribute: ["size", 3, "storage", "fpreal32", "tuples", [...]], or
/// "arrays", or "rawpagedata" with its layout.
template <class T>
void read_pages(JsonReader& in, std::vector<T>& out, std::size_t elements, int tuple_size)
{
    const auto size = std::size_t(tuple_size);
    in.budget().charge(elements, size, "elements"); // so that elements * size cannot overflow
    PageLayout layout;
    std::vector<T> raw;
    bool paged = false, found = false;
    in.enter_pairs();
    for (std::string key; in.next_key(key);) {
        if (key == "size") {
            if (in.integer() != tuple_size) in.fail("Two different tuple sizes");
        } else if (key == "pagesize") {
            layout.page_size = in.integer();
        } else if (key == "packing") {
            in.append_numbers(layout.packing);
        } else if (key == "constantpageflags") {
            in.enter_array();
            while (!in.at_end()) {
                in.budget().charge(1, sizeof(layout.constants[0]), "page flags");
                layout.constants.emplace_back();
                in.append_numbers(layout.constants.back());
            }
        } else if (key == "tuples" || key == "arrays" || key == "rawpagedata") {
            if (found) in.fail("There are two blocks of values");
            found = true;
            paged = key == "rawpagedata";
            if (key == "tuples")
                read_tuples(in, out, size);
            else if (key == "arrays")
                read_component_arrays(in, out, elements, size);
            else
                in.append_numbers(raw);
        } else {
            in.skip();
        }
    }
    if (!found) in.fail("There are no values");
    if (paged) {
        const bool plain = layout.packing.size() <= 1 && layout.constants.empty();
        if (plain && raw.size() == elements * size) {
            out = std::move(raw);
        } else {
            if (layout.page_size < 1) in.fail("The page size is missing");
            out = unpack_pages(in, raw, layout, elements, size);
        }
    }
    if (out.size() != elements * size)
        in.fail("There are " + std::to_string(out.size() / size) + " values for " +
                std::to_string(elements) + " elements");
}

} // namespace selvage
