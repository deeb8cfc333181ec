// The pages there are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace loadline::app {

/// In the order of the rail; what each is stands in page_specs.cpp.
enum class Page : std::uint8_t {
    Sessions,
    Distributions,
    Timeline,
    Composition,
    Cache,
    ServerLog,
    Simulator,
    Crossover,
    WhatPays,
    Batch,
    Published,
    SelfCheck,
    Kernels,
    End ///< none
};
inline constexpr auto pageCount = static_cast<std::size_t>(Page::End);

constexpr std::size_t indexOf(Page page) {
    return static_cast<std::size_t>(page);
}

inline constexpr std::array<Page, pageCount> pages = [] {
    std::array<Page, pageCount> all{};
    for (std::size_t i = 0; i < pageCount; ++i) {
        all[i] = static_cast<Page>(i);
    }
    return all;
}();

/// Pages that speak of session files, and of nothing else.
bool needsSessions(Page page);
/// Pages that simulate a workload.
bool simulates(Page page);
/// Pages whose charts can be drawn against a pinned simulation.
bool compares(Page page);

} // namespace loadline::app
