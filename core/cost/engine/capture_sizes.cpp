// Sizes of CUDA graphs.
#include "core/cost/engine/capture_sizes.h"

#include <algorithm>

namespace loadline {

std::vector<Tokens> captureSizes(const EngineSettings& settings) {
    std::vector<Tokens> sizes;
    if (settings.graphs == GraphMode::None) {
        return sizes;
    }
    constexpr Tokens fine = 8;
    constexpr Tokens coarse = 16;
    const Tokens largest = std::min(settings.cudagraphMax, settings.maxNumBatchedTokens);
    const Tokens fineUpTo = engineDefaultOf(settings.version).fineCaptureUpTo;
    for (const Tokens size : {1, 2, 4}) {
        if (size <= largest) {
            sizes.push_back(size);
        }
    }
    for (Tokens size = fine; size <= largest; size += fineUpTo == 0 || size < fineUpTo ? fine : coarse) {
        sizes.push_back(size);
    }
    return sizes;
}

RowPadding::RowPadding(const EngineSettings& settings)
    : onlyDecodes_(settings.graphs == GraphMode::FullDecodeOnly) {
    for (const Tokens size : captureSizes(settings)) {
        padded_.resize(static_cast<std::size_t>(size) + 1, size);
    }
    if (!padded_.empty()) {
        padded_.front() = 0;
    }
}

PaddedRows paddedRows(const EngineSettings& settings, Tokens rows, bool decodesOnly) {
    return RowPadding(settings).of(rows, decodesOnly);
}

} // namespace loadline
