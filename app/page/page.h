// The pages there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loadline::app {

/// In the order of the rail; what each is stands in page_specs.cpp. Those of studies follow behind them.
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
    End ///< of those; behind it pageOfStudy()
};

/// The page of the study of this index in studies().
constexpr Page pageOfStudy(std::size_t study) {
    return static_cast<Page>(static_cast<std::size_t>(Page::End) + study);
}

constexpr std::size_t indexOf(Page page) {
    return static_cast<std::size_t>(page);
}

std::size_t pageCount();
/// All of them, in the order of the rail.
std::vector<Page> pages();

/// Pages that speak of session files, and of nothing else.
bool needsSessions(Page page);
/// Pages that simulate a workload.
bool simulates(Page page);
/// Pages whose charts can be drawn against a pinned simulation.
bool compares(Page page);

} // namespace loadline::app
