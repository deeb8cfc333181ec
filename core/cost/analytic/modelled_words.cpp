// Parts and limits, told.
#include "core/cost/analytic/modelled_words.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace loadline {
namespace {

/// "A100, H100 and H200": the GPUs whose L2 bandwidth a source gives.
std::string gpusWithCacheRate() {
    std::vector<std::string_view> names;
    for (const GpuFacts& gpu : gpuTable()) {
        if (architectureOf(gpu).cacheBytesPerClock > 0) {
            names.push_back(gpu.hardware.substr(0, gpu.hardware.find('-')));
        }
    }
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

} // namespace

std::string limitsText(const GpuFacts& gpu, GemmSize size, int experts, int kBits) {
    std::string text;
    std::string_view before;
    const std::int64_t most = designedRows(Kernel::SwapAb);
    for (std::int64_t rowsM = 1; rowsM <= most + 1; ++rowsM) {
        const auto time = modelledTime(gpu, formOf(Kernel::SwapAb, experts > 1), size,
                                       static_cast<double>(std::min(rowsM, most)), kBits, experts);
        const std::string_view now = time && rowsM <= most ? wordsOf(time->limit) : std::string_view();
        if (!before.empty() && now != before) {
            text += fmt::format("{}{} up to {}{}", text.empty() ? "" : ", ", before,
                                text.empty() ? "M = " : "", rowsM - 1);
        }
        before = now;
    }
    return text;
}

std::string partsText(const ModelledTime& time) {
    std::vector<std::pair<double, KernelLimit>> parts;
    for (std::size_t i = 0; i < kernelLimitCount; ++i) {
        if (static_cast<KernelLimit>(i) != KernelLimit::Fixed && time.partUs.at(i) > 0) {
            parts.emplace_back(time.partUs.at(i), static_cast<KernelLimit>(i));
        }
    }
    std::ranges::sort(parts, std::greater());
    std::string text =
        fmt::format("{} {}", wordsOf(KernelLimit::Fixed),
                    formatSeconds(time.partUs.at(static_cast<std::size_t>(KernelLimit::Fixed)) * 1e-6));
    for (const auto& [us, limit] : parts) {
        text += fmt::format("{}{} {}", &us == &parts.front().first ? "; at the same time " : ", ",
                            wordsOf(limit), formatSeconds(us * 1e-6));
    }
    return text;
}

std::string whySlowerThanNibbles(const GpuFacts& gpu, Kernel kernel, GemmSize size, std::int64_t rowsM,
                                 int kBits, int experts) {
    constexpr int nibble = 4;
    if (!readsKBits(kernel) || kBits >= nibble) {
        return "";
    }
    const auto rows = static_cast<double>(rowsM);
    const auto here = modelledTime(gpu, kernel, size, rows, kBits, experts);
    const auto nibbles = modelledTime(gpu, kernel, size, rows, nibble, experts);
    if (!here || !nibbles || here->us <= nibbles->us) {
        return "";
    }
    const auto limit = static_cast<std::size_t>(here->limit);
    const double most =
        nibbles->partUs.at(limit) > 0 ? here->partUs.at(limit) / nibbles->partUs.at(limit) : 0;
    return fmt::format("k = {} takes {} here: {} binds k = {}, whose codes take {} times as much of it as "
                       "nibbles",
                       nibble, formatSeconds(nibbles->us * 1e-6), wordsOf(here->limit), kBits,
                       formatReal(most, 2));
}

std::string notModelledText() {
    return "Not modelled: fp16 experts, and with them dequantise + fp16 experts, as there is no source of "
           "batched cuBLAS's share of the peak. Experts' times are of equal loads, as measuring takes them, "
           "and without the routing. Not in any time: the bandwidth of L2 where no source gives it (all "
           "but " +
           gpusWithCacheRate() + "), bank conflicts, clocks under load.";
}

} // namespace loadline
