// Token distributions in the published form: frequencies per power-of-two bucket.
#include "core/workload/distribution/distribution.h"

#include <nlohmann/json.hpp>

namespace loadline {
namespace {

BucketFrequencies frequenciesOf(const Histogram& histogram) {
    BucketFrequencies result;
    for (const Bin& bin : histogram.bins) {
        result.turns += bin.count;
    }
    for (const Bin& bin : histogram.bins) {
        if (bin.count > 0) {
            result.frequency[bin.label] = static_cast<double>(bin.count) / static_cast<double>(result.turns);
        }
    }
    return result;
}

nlohmann::ordered_json documentOf(const BucketFrequencies& frequencies, const char* description) {
    nlohmann::ordered_json freq = nlohmann::ordered_json::object();
    for (const auto& [bucket, share] : frequencies.frequency) {
        freq[std::to_string(bucket)] = share;
    }
    return {{"description", description}, {"num_turns", frequencies.turns}, {"freq", std::move(freq)}};
}

} // namespace

TokenDistribution distributionOf(const Histogram& input, const Histogram& output, std::uint64_t sessions,
                                 std::string description) {
    return {.description = std::move(description),
            .sessions = sessions,
            .input = frequenciesOf(input),
            .output = frequenciesOf(output)};
}

std::string toJson(const TokenDistribution& distribution) {
    const nlohmann::ordered_json document = {
        {"description", distribution.description},
        {"sessions", distribution.sessions},
        {"input_tokens_per_turn",
         documentOf(distribution.input, "Input tokens per turn. Only turns above 0 included.")},
        {"generated_tokens_per_turn",
         documentOf(distribution.output, "Output tokens per turn. Only turns above 0 included.")},
    };
    return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace loadline
