// Reads a distribution file of the published shape, and reports what is wrong with it.
#include "core/base/file/read_json.h"
#include "core/text/json/json_fields.h"
#include "core/text/parse_number.h"
#include "core/workload/distribution/distribution.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <optional>

namespace loadline {
namespace {

constexpr double sumTolerance = 1e-3; // published frequencies are rounded to six places

std::optional<Tokens> bucketOf(const std::string& name) {
    const auto bucket = parseNumber<Tokens>(name, {1, maxTokensPerCount});
    const bool isPower = bucket && name[0] != '0' && std::has_single_bit(static_cast<std::uint64_t>(*bucket));
    return isPower ? bucket : std::nullopt;
}

BucketFrequencies frequenciesIn(JsonFields& document, const char* key) {
    BucketFrequencies result;
    JsonFields part = document.object(key, JsonFields::needed);
    std::string description;
    part.text("description", description);
    if (part.find("num_turns", JsonFields::needed) != nullptr) {
        part.whole("num_turns", result.turns, 0, JsonFields::unbounded);
    }
    const JsonFields freq = part.object("freq", JsonFields::needed);
    part.refuseOthers();
    if (freq.json().empty()) {
        part.failAt("freq", "is empty");
        return result;
    }
    double sum = 0;
    for (const auto& [name, share] : freq.json().items()) {
        const std::optional<Tokens> bucket = bucketOf(name);
        if (!bucket || !share.is_number() || !(share.get<double>() >= 0)) {
            freq.failAt(name,
                        bucket ? "is not a frequency of 0 or more" : "is not a power of two from 1 to 2^40");
            return result;
        }
        result.frequency[*bucket] = share.get<double>();
        sum += share.get<double>();
    }
    if (!(std::abs(sum - 1) <= sumTolerance)) {
        part.failAt("freq", fmt::format("sums to {:.6g}, not to 1", sum));
    }
    return result;
}

} // namespace

Result<TokenDistribution> distributionFromJson(std::string_view json, const std::string& path) {
    JsonProblem problem;
    const nlohmann::json document = jsonFrom(json);
    JsonFields fields(document, problem);
    TokenDistribution result;
    fields.find("input_tokens_per_turn");
    fields.find("generated_tokens_per_turn");
    fields.text("description", result.description);
    fields.whole("sessions", result.sessions, 0, JsonFields::unbounded);
    fields.refuseOthers();
    result.input = frequenciesIn(fields, "input_tokens_per_turn");
    result.output = frequenciesIn(fields, "generated_tokens_per_turn");
    if (problem) {
        return problem.error("not a distribution file: ", path, "a file written by `loadline turns --out`");
    }
    return result;
}

} // namespace loadline
