// List prices of models, and what a call costs by them.
#include "core/session/price/price_list.h"

#include "core/base/file/read_json.h"
#include "core/text/json/json_fields.h"
#include "core/text/model_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

constexpr double tokensOfPrice = 1e6;
constexpr double mostPrice = 1e6; // USD per million tokens
constexpr const char* unit = "USD per million tokens";

bool isPrice(double usd) {
    return usd >= 0 && usd <= mostPrice;
}

/// Writes cost these multiples of the input price of every Claude model in the bundled list but one (Claude 3
/// Haiku: 1.2 and 2). Providers of other models ask nothing more for them.
constexpr double claudeWrite5m = 1.25;
constexpr double claudeWrite1h = 2;

TokenPrices tokenPricesIn(JsonFields& fields, bool isClaude) {
    const auto price = [&](const char* key, double& usd, bool need) {
        fields.number(key, usd, need, fmt::format("a price from 0 to {:g} {}", mostPrice, unit), isPrice);
    };
    TokenPrices prices;
    price("input", prices.input, JsonFields::needed);
    price("output", prices.output, JsonFields::needed);
    prices.cacheRead = prices.input;
    price("cache_read", prices.cacheRead, false);
    prices.cacheWrite5m = prices.input * (isClaude ? claudeWrite5m : 1);
    price("cache_write_5m", prices.cacheWrite5m, false);
    prices.cacheWrite1h = isClaude ? prices.input * claudeWrite1h : prices.cacheWrite5m;
    price("cache_write_1h", prices.cacheWrite1h, false);
    return prices;
}

/// Providers' prefixes, variants and dates aside: "us.anthropic.claude-opus-4-5-20251101-v1:0" and
/// "claude-opus-4-5@20251101" are "opus-4-5".
std::string bareName(std::string_view model) {
    model.remove_prefix(std::min(model.size(), model.rfind('/') + 1)); // npos + 1 is 0
    model = model.substr(0, model.find_first_of("[:"));
    constexpr std::string_view maker = "anthropic.";
    if (const std::size_t at = model.find(maker); at != std::string_view::npos) {
        model.remove_prefix(at + maker.size());
        model = model.substr(0, model.rfind("-v")); // "-v1": its own numbering of the same model
    }
    return shortModelName(model);
}

double kindUsd(Tokens tokens, double price, double priceBeyond) {
    const Tokens beyond = std::max<Tokens>(0, tokens - longCallTokens);
    return (static_cast<double>(tokens - beyond) * price + static_cast<double>(beyond) * priceBeyond) /
           tokensOfPrice;
}

} // namespace

Result<PriceList> pricesFromJson(std::string_view json, const std::string& path) {
    JsonProblem problem;
    const nlohmann::json document = jsonFrom(json);
    JsonFields fields(document, problem);
    PriceList list;
    std::string given = unit;
    fields.text("unit", given);
    if (given != unit) {
        fields.fail(fmt::format("its \"unit\" is \"{}\"", given), fmt::format("prices in {}", unit));
    }
    fields.text("source", list.source);
    const nlohmann::json* const models = fields.find("models", JsonFields::needed);
    if (models != nullptr && !models->is_object()) {
        fields.failAt("models", "is no object");
    } else if (models != nullptr) {
        for (const auto& [name, entry] : models->items()) {
            JsonFields one(entry, problem, name + ": ");
            ModelPrices& prices = list.models[name];
            const bool isClaude = name.find("claude") != std::string::npos;
            prices.each = tokenPricesIn(one, isClaude);
            if (const nlohmann::json* const beyond = one.find("above_200k")) {
                JsonFields dearer(*beyond, problem, name + ": ", "above_200k.");
                prices.beyond = tokenPricesIn(dearer, isClaude);
                dearer.refuseOthers();
            }
            one.refuseOthers();
        }
    }
    if (problem) {
        return problem.error("not a list of prices: ", path,
                             R"({"unit": "USD per million tokens", "models": {"my-model": {"input": 3, )"
                             R"("output": 15, "cache_read": 0.3}}})");
    }
    return list;
}

PriceList laidOver(PriceList base, const PriceList& over) {
    for (const auto& [name, prices] : over.models) {
        base.models.insert_or_assign(name, prices);
    }
    if (!over.source.empty()) {
        base.source = base.source.empty() ? over.source : over.source + "; else " + base.source;
    }
    return base;
}

const ModelPrices* pricesOf(const PriceList& prices, std::string_view model) {
    if (const auto exact = prices.models.find(model); exact != prices.models.end()) {
        return &exact->second;
    }
    const std::string bare = bareName(model);
    const ModelPrices* found = nullptr;
    for (const auto& [name, its] : prices.models) {
        if (bareName(name) != bare) {
            continue;
        }
        if (found != nullptr && *found != its) {
            return nullptr;
        }
        found = &its;
    }
    return found;
}

double costUsd(const ModelPrices& prices, const Usage& call) {
    const TokenPrices& each = prices.each;
    const TokenPrices& beyond = prices.beyond ? *prices.beyond : each;
    const Tokens written1h = std::min(call.cacheWrite1h, call.cacheWrite);
    return exactUsd(kindUsd(call.input, each.input, beyond.input) +
                    kindUsd(call.output, each.output, beyond.output) +
                    kindUsd(call.cacheRead, each.cacheRead, beyond.cacheRead) +
                    kindUsd(call.cacheWrite - written1h, each.cacheWrite5m, beyond.cacheWrite5m) +
                    kindUsd(written1h, each.cacheWrite1h, beyond.cacheWrite1h));
}

} // namespace loadline
