// Reads a distribution file of the published shape, and says what is wrong with it.
#include "core/base/read_json.h"
#include "core/text/parse_number.h"
#include "core/workload/distribution/distribution.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace loadline {
namespace {

using Json = nlohmann::json;

constexpr double sumTolerance = 1e-3; // published frequencies are rounded to six places

/// The reading of one file: the first thing that is wrong ends it.
class DistributionReader {
public:
    explicit DistributionReader(const std::string& path) : path_(path) {}

    Result<TokenDistribution> read(std::string_view text) {
        const Json document = jsonFrom(text);
        if (document.is_discarded()) {
            return failed("is not JSON", "");
        }
        TokenDistribution result;
        if (!document.is_object()) {
            return failed("is not a JSON object", "");
        }
        knowsKeys(document, "",
                  {"description", "sessions", "input_tokens_per_turn", "generated_tokens_per_turn"});
        result.description = textOf(document, "description");
        result.sessions = count(document, "", "sessions", false);
        result.input = frequencies(document, "input_tokens_per_turn");
        result.output = frequencies(document, "generated_tokens_per_turn");
        if (error_) {
            return *error_;
        }
        return result;
    }

private:
    Error failed(const std::string& what, const std::string& key) const {
        return {.what = "not a distribution file: " + (key.empty() ? "it" : "\"" + key + "\"") + " " + what,
                .where = path_,
                .remedy = "a file written by `loadline turns --out`"};
    }

    void fail(const std::string& what, const std::string& key) {
        if (!error_) {
            error_ = failed(what, key);
        }
    }

    void knowsKeys(const Json& object, const std::string& where,
                   std::initializer_list<std::string_view> known) {
        for (const auto& [key, value] : object.items()) {
            if (std::ranges::find(known, key) == known.end()) {
                fail("is not a known key", where + key);
            }
        }
    }

    std::string textOf(const Json& object, const char* key) {
        const auto found = object.find(key);
        if (found == object.end()) {
            return "";
        }
        if (!found->is_string()) {
            fail("is not text", key);
            return "";
        }
        return found->get<std::string>();
    }

    std::uint64_t count(const Json& object, const std::string& where, const char* key, bool required) {
        const auto found = object.find(key);
        if (found == object.end()) {
            if (required) {
                fail("is missing", where + key);
            }
            return 0;
        }
        if (!found->is_number_unsigned()) {
            fail("is not a whole number of 0 or more", where + key);
            return 0;
        }
        return found->get<std::uint64_t>();
    }

    BucketFrequencies frequencies(const Json& document, const std::string& key) {
        BucketFrequencies result;
        const auto part = document.find(key);
        if (part == document.end() || !part->is_object()) {
            fail(part == document.end() ? "is missing" : "is not an object", key);
            return result;
        }
        knowsKeys(*part, key + ".", {"description", "num_turns", "freq"});
        result.turns = count(*part, key + ".", "num_turns", true);
        const auto freq = part->find("freq");
        const std::string where = key + ".freq";
        if (freq == part->end() || !freq->is_object()) {
            fail(freq == part->end() ? "is missing" : "is not an object", where);
            return result;
        }
        if (freq->empty()) {
            fail("is empty", where);
            return result;
        }
        double sum = 0;
        for (const auto& [name, share] : freq->items()) {
            const std::optional<Tokens> bucket = bucketOf(name);
            if (!bucket) {
                fail("is not a power of two from 1 to 2^40", fmt::format("{}.{}", where, name));
                return result;
            }
            if (!share.is_number() || !(share.get<double>() >= 0)) {
                fail("is not a frequency of 0 or more", fmt::format("{}.{}", where, name));
                return result;
            }
            result.frequency[*bucket] = share.get<double>();
            sum += share.get<double>();
        }
        if (!(std::abs(sum - 1) <= sumTolerance)) {
            fail(fmt::format("sums to {:.6g}, not to 1", sum), where);
        }
        return result;
    }

    static std::optional<Tokens> bucketOf(const std::string& name) {
        const auto bucket = parseNumber<Tokens>(name, {1, maxTokensPerCount});
        const bool isPower =
            bucket && name[0] != '0' && std::has_single_bit(static_cast<std::uint64_t>(*bucket));
        return isPower ? bucket : std::nullopt;
    }

    const std::string& path_;
    std::optional<Error> error_;
};

} // namespace

Result<TokenDistribution> distributionFromJson(std::string_view json, const std::string& path) {
    return DistributionReader(path).read(json);
}

} // namespace loadline
