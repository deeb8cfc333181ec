// Reads, writes and checks tiers.
#include "core/cache/tier/cache_tiers.h"

#include "core/text/plain_words.h"
#include "core/text/visible_text.h"
#include "core/text/word_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace loadline {
namespace {

constexpr std::string_view tierForm = "NAME:GB:GB/s:us, like HBM:400:26800:0.6";
constexpr std::size_t mostOfTierQuoted = 60;

std::string quotedTier(std::string_view text) {
    return visibleText(text, mostOfTierQuoted);
}

std::string nodeKeys() {
    std::string keys;
    for (const CacheNode& node : cacheNodes()) {
        keys += (keys.empty() ? "" : ", ") + std::string(node.key);
    }
    return keys;
}

/// Whoever describes such a tier; an edited one has no source.
std::string sourceOf(const CacheTier& tier) {
    for (const CacheNode& node : cacheNodes()) {
        for (const CacheTier& known : node.tiers) {
            if (known.name == tier.name && known.bandwidthGBs == tier.bandwidthGBs &&
                known.latencyUs == tier.latencyUs) {
                return known.source;
            }
        }
    }
    return "as given";
}

/// NAME:GB:GB/s:us as it was written.
struct TierWords {
    std::string_view name;
    std::vector<std::string_view> numbers;
};

TierWords wordsOfTier(std::string_view entry) {
    TierWords words{.name = trimmed(cutUpTo(entry, ':')), .numbers = {}};
    while (!entry.empty()) {
        words.numbers.push_back(trimmed(cutUpTo(entry, ':')));
    }
    return words;
}

/// Sets what the words say of a tier; the first that is wrong is the Error.
Status take(const TierWords& words, std::string_view entry, CacheTier& tier) {
    if (words.numbers.empty() || words.numbers.size() > 3) {
        return Error{fmt::format("tier \"{}\" has no capacity, or too many numbers", quotedTier(words.name)),
                     quotedTier(entry), std::string(tierForm)};
    }

    struct Field {
        const char* what;
        double CacheTier::*value;
        NumberRange<double> range;
    };

    constexpr Field fields[] = {{"capacity in GB", &CacheTier::capacityGB, tierCapacitiesGB},
                                {"bandwidth in GB/s", &CacheTier::bandwidthGBs, tierBandwidthsGBs},
                                {"latency in \u00b5s", &CacheTier::latencyUs, tierLatenciesUs}};
    for (std::size_t i = 0; i < words.numbers.size(); ++i) {
        const auto number = parseNumber(words.numbers[i], fields[i].range);
        if (!number) {
            return Error{fmt::format("the {} of tier \"{}\" is not a number of {} to {}: \"{}\"",
                                     fields[i].what, quotedTier(words.name), fields[i].range.least,
                                     fields[i].range.most, quotedTier(words.numbers[i])),
                         quotedTier(entry), std::string(tierForm)};
        }
        tier.*fields[i].value = *number;
    }
    return Done{};
}

CacheTier* tierCalled(CacheTiers& tiers, std::string_view name) {
    const auto found =
        std::ranges::find(tiers, lowered(name), [](const CacheTier& tier) { return lowered(tier.name); });
    return found == tiers.end() ? nullptr : &*found;
}

/// Changes the tier that the entry names, or adds it.
Status takeEntry(std::string_view entry, bool ofNode, CacheTiers& tiers) {
    const TierWords words = wordsOfTier(entry);
    CacheTier* known = ofNode ? tierCalled(tiers, words.name) : nullptr;
    if (known != nullptr) {
        const Status taken = take(words, entry, *known);
        known->source = sourceOf(*known);
        return taken;
    }
    CacheTier tier;
    tier.name = words.name;
    if (Status taken = take(words, entry, tier); !taken) {
        return taken;
    }
    if (words.numbers.size() < 2) {
        return Error{fmt::format("tier \"{}\" has no bandwidth", quotedTier(words.name)), quotedTier(entry),
                     fmt::format("{}; or the key of a node before it: {}", tierForm, nodeKeys())};
    }
    tier.source = sourceOf(tier);
    const auto slower = [&](const CacheTier& other) { return other.bandwidthGBs < tier.bandwidthGBs; };
    tiers.insert(ofNode ? std::ranges::find_if(tiers, slower) : tiers.end(), std::move(tier));
    return Done{};
}

bool canBeWritten(std::string_view name) {
    return !name.empty() && name.size() <= longestTierName && trimmed(name) == name &&
           name.find_first_of(":,") == std::string_view::npos && visibleText(name) == name;
}

std::string problemOf(const CacheTier& tier) {
    if (!canBeWritten(tier.name)) {
        return fmt::format("tier \"{}\" needs a name of 1 to {} bytes without colons and commas",
                           quotedTier(tier.name), longestTierName);
    }
    if (!tierCapacitiesGB.contains(tier.capacityGB) || !tierBandwidthsGBs.contains(tier.bandwidthGBs) ||
        !tierLatenciesUs.contains(tier.latencyUs)) {
        return fmt::format("tier \"{}\" takes 0 to 1e9 GB, 0.001 to 1e9 GB/s and 0 to 1e9 \u00b5s",
                           tier.name);
    }
    return "";
}

} // namespace

std::string problemOf(const CacheTiers& tiers) {
    if (tiers.empty() || tiers.size() > mostTiers) {
        return fmt::format("there are {} tiers, not 1 to {}", tiers.size(), mostTiers);
    }
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        if (std::string problem = problemOf(tiers[i]); !problem.empty()) {
            return problem;
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (lowered(tiers[j].name) == lowered(tiers[i].name)) {
                return fmt::format("tier \"{}\" is there twice", tiers[i].name);
            }
        }
        if (i > 0 && tiers[i].bandwidthGBs > tiers[i - 1].bandwidthGBs) {
            return fmt::format("tier \"{}\" is faster than \"{}\" before it: the fastest comes first",
                               tiers[i].name, tiers[i - 1].name);
        }
    }
    return "";
}

Result<CacheTiers> cacheTiersFromText(std::string_view text, double weightsGB) {
    const std::string_view line = trimmed(text, " \t\r\n");
    std::string_view rest = line;
    CacheTiers tiers;
    const CacheNode* node = findCacheNode(trimmed(rest.substr(0, rest.find(','))));
    bool more = node == nullptr || rest.find(',') != std::string_view::npos;
    if (node != nullptr) {
        tiers = tiersOf(*node, weightsGB);
        cutUpTo(rest, ',');
    } else if (line.find(':') == std::string_view::npos) {
        return Error{fmt::format("there is no node \"{}\"", quotedTier(line)), quotedTier(line),
                     fmt::format("{}; or {}", nodeKeys(), tierForm)};
    }
    while (more && tiers.size() <= mostTiers) {
        more = rest.find(',') != std::string_view::npos;
        if (Status taken = takeEntry(trimmed(cutUpTo(rest, ',')), node != nullptr, tiers); !taken) {
            return taken.error();
        }
    }
    if (std::string problem = problemOf(tiers); !problem.empty()) {
        return Error{std::move(problem), quotedTier(line), std::string(tierForm)};
    }
    const std::size_t memory = memoryTierOf(tiers);
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        tiers[i].onGpu = i <= memory;
    }
    return tiers;
}

std::string textOf(const CacheTiers& tiers) {
    std::string text;
    for (const CacheTier& tier : tiers) {
        text += fmt::format("{}{}:{}:{}:{}", text.empty() ? "" : ",", tier.name, tier.capacityGB,
                            tier.bandwidthGBs, tier.latencyUs);
    }
    return text;
}

} // namespace loadline
