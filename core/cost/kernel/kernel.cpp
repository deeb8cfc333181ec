// Kernel names, and dispatch rules as values.
#include "core/cost/kernel/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace loadline {
namespace {

std::optional<std::string> problemOf(const std::vector<KernelRange>& ranges, bool grouped) {
    const std::string_view kind = grouped ? "experts" : "dense GEMMs";
    if (ranges.empty()) {
        return fmt::format("no kernel serves {}", kind);
    }
    std::int64_t next = 1;
    for (const KernelRange& range : ranges) {
        if (!canServe(range.kernel, grouped)) {
            return fmt::format("{} cannot serve {}", nameOf(range.kernel), kind);
        }
        if (range.fromM > next) {
            return fmt::format("no kernel serves {} at M = {} to {}", kind, next, range.fromM - 1);
        }
        if (range.fromM < next || next == 0) {
            return fmt::format("two kernels serve {} at M = {}", kind, range.fromM);
        }
        if (range.toM < range.fromM) {
            return fmt::format("the range of {} ends before it starts", nameOf(range.kernel));
        }
        next = range.toM == unboundedM ? 0 : range.toM + 1;
    }
    if (next != 0) {
        return fmt::format("no kernel serves {} from M = {} on", kind, next);
    }
    return std::nullopt;
}

} // namespace

std::optional<Kernel> kernelFromKey(std::string_view key) {
    const auto found = std::ranges::find(kernelSpecs, key, &KernelSpec::key);
    return found == kernelSpecs.end() ? std::nullopt : std::optional(found->kernel);
}

std::optional<Kernel> profiledKernelFromKey(std::string_view key) {
    const std::optional<Kernel> kernel = kernelFromKey(key);
    return kernel && !specOf(*kernel).engine ? kernel : std::nullopt;
}

std::int64_t designedRows(Kernel kernel) {
    return specOf(kernel).designedRows;
}

std::vector<Kernel> servingKernels(bool grouped) {
    std::vector<Kernel> kernels;
    std::ranges::copy_if(allKernels, std::back_inserter(kernels),
                         [&](Kernel kernel) { return canServe(kernel, grouped); });
    return kernels;
}

const std::vector<DispatchRule>& dispatchPresets() {
    static const std::vector<KernelRange> expertRanges = {{.kernel = Kernel::GroupedMma, .toM = 16},
                                                          {.kernel = Kernel::GroupedDequant, .fromM = 17}};
    static const std::vector<DispatchRule> presets = {
        {.key = "published",
         .name = "As published",
         .source = "the study's text: scalar at M = 1 to 4, MMA at 8 to 32, dequantise + cuBLAS above; it "
                   "names no kernel for 5 to 7, taken as MMA",
         .dense = {{.kernel = Kernel::Scalar, .toM = 4},
                   {.kernel = Kernel::Mma, .fromM = 5, .toM = 32},
                   {.kernel = Kernel::DequantCublas, .fromM = 33}},
         .grouped = expertRanges},
        {.key = "code",
         .name = "As in the code",
         .source = "the k-bit branch's dispatch (e0737a0d, abd7c7fd): scalar to M = 4, MMA to 16, dequantise "
                   "+ cuBLAS above; experts: grouped MMA to 16 rows each, dequantise above",
         .dense = {{.kernel = Kernel::Scalar, .toM = 4},
                   {.kernel = Kernel::Mma, .fromM = 5, .toM = 16},
                   {.kernel = Kernel::DequantCublas, .fromM = 17}},
         .grouped = expertRanges},
        {.key = "fastest",
         .name = "Fastest measured",
         .source = "the fastest of the kernels that have a time at this M; what is modelled only where none "
                   "has, and no kernel beyond what it was timed at or is built for",
         .fastest = true,
         .dense = {},
         .grouped = {}}};
    return presets;
}

const DispatchRule* findDispatchPreset(std::string_view key) {
    for (const DispatchRule& rule : dispatchPresets()) {
        if (rule.key == key) {
            return &rule;
        }
    }
    return nullptr;
}

std::vector<Kernel> candidatesOf(const DispatchRule& rule, bool grouped) {
    if (rule.fastest) {
        std::vector<Kernel> candidates = servingKernels(grouped);
        std::erase_if(candidates, [](Kernel kernel) { return !readsKBits(kernel); });
        return candidates;
    }
    std::vector<Kernel> candidates;
    for (const KernelRange& range : grouped ? rule.grouped : rule.dense) {
        candidates.push_back(range.kernel);
    }
    return candidates;
}

Kernel kernelFor(const DispatchRule& rule, bool grouped, double m) {
    const std::vector<KernelRange>& ranges = grouped ? rule.grouped : rule.dense;
    for (const KernelRange& range : ranges) {
        if (std::ceil(m) <= static_cast<double>(range.toM)) {
            return range.kernel;
        }
    }
    return ranges.back().kernel;
}

std::optional<std::string> problemOf(const DispatchRule& rule) {
    if (rule.fastest) {
        return std::nullopt;
    }
    if (auto problem = problemOf(rule.dense, false)) {
        return problem;
    }
    return problemOf(rule.grouped, true);
}

} // namespace loadline
