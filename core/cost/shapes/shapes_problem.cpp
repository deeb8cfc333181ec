// Finds what is wrong with shapes that were edited.
#include "core/cost/shapes/shape_limits.h"
#include "core/cost/shapes/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// Checks in turn; reports the first check that fails.
class Checks {
public:
    void whole(const char* name, std::int64_t value, std::int64_t low, std::int64_t high) {
        fail(value < low || value > high, fmt::format("{} is {}: choose {} to {}", name, value, low, high));
    }

    void fail(bool wrong, const std::string& sentence) {
        if (wrong && !problem_) {
            problem_ = sentence;
        }
    }

    [[nodiscard]] std::optional<std::string> problem() const { return problem_; }

private:
    std::optional<std::string> problem_;
};

} // namespace

std::optional<std::string> problemOf(const LayerGemm& gemm) {
    Checks checks;
    checks.fail(gemm.name.empty(), "it has no name");
    checks.whole("K", gemm.size.k, 1, mostSide);
    checks.whole("N", gemm.size.n, 1, mostSide);
    checks.whole("the number per layer", gemm.perLayer, 1, mostLayers);
    checks.whole("the number of layers", gemm.layers, 1, mostLayers);
    checks.whole("the number of experts", gemm.experts, 0, mostExperts);
    if (gemm.grouped()) {
        checks.whole("the number of experts per row", gemm.expertsPerRow, 1, gemm.experts);
    } else {
        checks.fail(gemm.expertsPerRow != 0, "experts per row need experts");
    }
    return checks.problem();
}

std::optional<std::string> problemOf(const AttentionFacts& facts) {
    Checks checks;
    checks.whole("the number of layers", facts.layers, 1, mostLayers);
    checks.whole("the number of layers with full attention", facts.fullLayers, 0, facts.layers);
    checks.whole("the window", facts.window, 0, mostWindow);
    checks.whole("the number of query heads", facts.qHeads, 1, mostHeads);
    checks.whole("the number of KV heads", facts.kvHeads, 1, facts.qHeads);
    checks.whole("the head size", facts.headDim, 1, mostHeadDim);
    checks.fail(!(facts.stateBytes >= 0) || facts.stateBytes > mostStateBytes,
                fmt::format("the state is {:g} bytes: choose 0 to {:g}", facts.stateBytes, mostStateBytes));
    checks.fail(facts.kind == AttentionKind::SlidingWindow && facts.window == 0,
                "a sliding window needs a size");
    return checks.problem();
}

std::optional<std::string> problemOf(const ModelShapes& model) {
    if (model.name.empty() && model.key.empty()) {
        return "the shapes have no name";
    }
    if (model.gemms.empty()) {
        return "there is no GEMM";
    }
    if (model.gemms.size() > mostGemms) {
        return fmt::format("there are more than {} GEMMs", mostGemms);
    }
    for (std::size_t i = 0; i < model.gemms.size(); ++i) {
        const LayerGemm& gemm = model.gemms[i];
        if (auto problem = problemOf(gemm)) {
            return gemm.name.empty() ? fmt::format("GEMM {}: {}", i + 1, *problem)
                                     : fmt::format("GEMM {}, {}: {}", i + 1, gemm.name, *problem);
        }
        const auto before = model.gemms.begin() + static_cast<std::ptrdiff_t>(i);
        const auto sameName = [&](const LayerGemm& other) { return other.name == gemm.name; };
        if (std::any_of(model.gemms.begin(), before, sameName)) {
            return fmt::format("the name \"{}\" stands twice", gemm.name);
        }
    }
    if (model.attention) {
        if (auto problem = problemOf(*model.attention)) {
            return "attention: " + *problem;
        }
    }
    return std::nullopt;
}

} // namespace loadline
