// Amdahl's law of prompts that need not be computed.
#include "core/cache/split/prefill_decode_split.h"

#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace loadline {
namespace {

/// Query-key pairs of a prompt, each token with itself and all before it.
double pairsOf(double n) {
    return n * (n + 1) / 2;
}

/// Returns the pairs if a token sees `window` tokens at most; 0 for layers that see none.
double pairsInWindow(double n, double window) {
    const double grows = std::min(n, window);
    return pairsOf(grows) + (n - grows) * window;
}

} // namespace

std::optional<SplitFleet> fleetFromText(std::string_view text) {
    SplitFleet fleet;
    do {
        const std::string_view word = text.substr(0, text.find(','));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string_view value = word.substr(std::min(equals + 1, word.size()));
        const std::string_view key = word.substr(0, equals);
        const auto number = key == "gpus" ? parseNumber(value, NumberRange<double>{1, mostFleetGpus})
                                          : parseNumber(value, NumberRange<double>{0, 1});
        if (!number || (key != "gpus" && key != "prefill" && key != "hit")) {
            return std::nullopt;
        }
        if (key == "hit") {
            fleet.hitRate = *number;
        } else {
            (key == "gpus" ? fleet.gpus : fleet.prefillShare) = *number;
        }
    } while (!text.empty());
    return fleet;
}

std::string textOf(const SplitFleet& fleet) {
    return fmt::format("gpus={},prefill={}", fleet.gpus, fleet.prefillShare) +
           (fleet.hitRate ? fmt::format(",hit={}", *fleet.hitRate) : std::string());
}

PrefillDecodeSplit splitWith(const SplitFleet& fleet, double workLeft) {
    const double p = fleet.prefillShare;
    const double time = (1 - p) + p * workLeft;
    PrefillDecodeSplit split{.workLeft = workLeft,
                             .gpusFreed = fleet.gpus * p * (1 - workLeft),
                             .speedUp = time > 0 ? 1 / time : std::numeric_limits<double>::infinity(),
                             .bound = p < 1 ? 1 / (1 - p) : std::numeric_limits<double>::infinity()};
    if (time > 0) {
        split.prefillGpus = fleet.gpus * p * workLeft * split.speedUp;
        split.decodeGpus = fleet.gpus * (1 - p) * split.speedUp;
    }
    return split;
}

double prefillFlops(double weightsPerToken, const AttentionFacts& attention, double n, double cached) {
    const double perPair = 2.0 * attention.qHeads * 2.0 * attention.headDim; // of a layer
    const double pairs = pairsOf(n) - pairsOf(cached);
    const auto window = static_cast<double>(attention.window);
    const double inWindow = pairsInWindow(n, window) - pairsInWindow(cached, window);
    return 2 * weightsPerToken * (n - cached) +
           perPair * (attention.fullLayers * pairs +
                      std::max(0, attention.layers - attention.fullLayers) * inWindow);
}

double prefillWorkLeft(const CacheModel& model, double n, double cached) {
    const double all = prefillFlops(model.activeParameters, model.attention, n, 0);
    return all > 0 ? prefillFlops(model.activeParameters, model.attention, n, cached) / all : 1;
}

} // namespace loadline
