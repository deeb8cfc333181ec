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

/// Returns what is wrong with the facts beside GEMMs and attention, in the order of JSON.
std::optional<std::string> problemOfFacts(const ModelShapes& model) {
    Checks checks;
    checks.whole("the hidden size", model.hidden, 0, mostSide);
    checks.whole("the vocabulary", model.vocabulary, 0, mostSide);
    if (model.experts) {
        checks.whole("experts: the number", model.experts->experts, 1, mostExperts);
        checks.whole("experts: the number per row", model.experts->topK, 1, mostExperts);
        checks.whole("experts: the width", model.experts->width, 1, mostSide);
        checks.whole("experts: the width of shared ones", model.experts->sharedWidth, 0, mostSide);
        checks.whole("experts: the number of dense layers", model.experts->firstDenseLayers, 0, mostLayers);
    }
    if (model.mla) {
        checks.whole("MLA: the number of heads", model.mla->heads, 1, mostHeads);
        checks.whole("MLA: the rank of queries", model.mla->queryRank, 0, mostHeadDim);
        checks.whole("MLA: the rank of KV", model.mla->kvRank, 1, mostHeadDim);
        checks.whole("MLA: the size without positions", model.mla->nopeDim, 1, mostHeadDim);
        checks.whole("MLA: the size with positions", model.mla->ropeDim, 0, mostHeadDim);
        checks.whole("MLA: the size of a value", model.mla->valueDim, 1, mostHeadDim);
    }
    if (model.linear) {
        checks.whole("linear attention: the number of key heads", model.linear->kHeads, 1, mostHeads);
        checks.whole("linear attention: the number of value heads", model.linear->vHeads, 1, mostHeads);
        checks.whole("linear attention: the size of a key", model.linear->kDim, 1, mostHeadDim);
        checks.whole("linear attention: the size of a value", model.linear->vDim, 1, mostHeadDim);
        checks.whole("linear attention: the convolution", model.linear->convolution, 0, mostHeadDim);
        checks.whole("linear attention: the period", model.linear->period, 0, mostLayers);
    }
    return checks.problem();
}

} // namespace

std::optional<std::string> problemOf(const LayerGemm& gemm) {
    Checks checks;
    checks.fail(gemm.name.empty(), "it has no name");
    checks.whole("K", gemm.size.k, 1, mostSide);
    checks.whole("N", gemm.size.n, 1, mostSide);
    checks.whole("the number per layer", gemm.perLayer, 1, mostLayers);
    checks.whole("the number of layers", gemm.layers, 1, mostLayers);
    checks.whole("the number of experts", gemm.experts, 0, mostExperts);
    checks.whole("the number of experts elsewhere", gemm.expertsElsewhere, 0, mostExperts);
    if (gemm.grouped()) {
        checks.whole("the number of experts per row", gemm.expertsPerRow, 1,
                     std::int64_t{gemm.experts} + gemm.expertsElsewhere);
    } else {
        checks.fail(gemm.expertsPerRow != 0, "experts per row need experts");
        checks.fail(gemm.expertsElsewhere != 0, "experts elsewhere need experts");
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
    checks.whole("the size of the latent", facts.latentValues, 0, mostHeadDim);
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
    return problemOfFacts(model);
}

} // namespace loadline
