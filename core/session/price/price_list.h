// List prices of models, and what a call costs by them. What is paid may be another sum: by contract, by
// subscription, in batches.
#pragma once

#include "core/base/result.h"
#include "core/session/usage.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// USD per million tokens of each kind.
struct TokenPrices {
    double input = 0;
    double output = 0;
    double cacheRead = 0;
    double cacheWrite5m = 0;
    double cacheWrite1h = 0;
    bool operator==(const TokenPrices&) const = default;
};

/// Tokens of one kind in one call from which on TokenPrices of long calls hold.
inline constexpr Tokens longCallTokens = 200'000;

struct ModelPrices {
    TokenPrices each;
    std::optional<TokenPrices> beyond; ///< of a kind's tokens beyond longCallTokens; none: as `each`
    bool operator==(const ModelPrices&) const = default;
};

struct PriceList {
    std::map<std::string, ModelPrices, std::less<>> models; ///< by the provider's name
    std::string source;                                     ///< a sentence's end: where they come from
    bool operator==(const PriceList&) const = default;
};

/// {"unit": "USD per million tokens", "models": {"NAME": {"input", "output", "cache_read", "cache_write_5m",
/// "cache_write_1h", "above_200k": {the same}}}}, `source` and other members beside them passed over. Input
/// and output are needed. Without its own price a read costs as much as input, and so does a write of 5
/// minutes; one of an hour costs as one of 5 minutes. Of models named "claude" a write of 5 minutes costs
/// 1.25 times the input, and one of an hour twice as much as the input. Prices are 0 .. 1,000,000.
Result<PriceList> pricesFromJson(std::string_view json, const std::string& path);

/// `base` with the models of `over`, which go before.
PriceList laidOver(PriceList base, const PriceList& over);

/// Suffix of a model's name under which the list has its prices in fast mode (the rule of the bundled list's
/// source, ccusage 20.0.24).
inline constexpr std::string_view fastSuffix = "-fast";

/// Returns the prices of the model of that name. If the list has no such model: of the one whose name is the
/// same without a provider's prefix ("us.anthropic.", "openai/"), a variant ("[1m]", ":free", "-v1:0") and
/// the date of release, if all models of that name have the same prices. Null if the list does not know the
/// model.
const ModelPrices* pricesOf(const PriceList& prices, std::string_view model);

/// USD, as exactUsd(). A write of which the log does not tell for how long is one of 5 minutes. Each kind's
/// tokens beyond longCallTokens in one call cost ModelPrices::beyond (the rule of the bundled list's source,
/// ccusage 20.0.24; by providers' own rule a long prompt makes all of the call dearer).
double costUsd(const ModelPrices& prices, const Usage& call);

} // namespace loadline
