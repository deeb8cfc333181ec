// Sums and shares of the four token classes over calls in scope, by session, day, model, project or agent.
#include "core/cache/composition/composition.h"

#include "core/base/zone.h"
#include "core/text/enum_words.h"
#include "core/text/model_name.h"
#include "core/text/number_format.h"
#include "core/text/table_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace loadline {
namespace {

double ratio(Tokens part, Tokens whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

TokenShares sharesOf(const Usage& usage) {
    const Tokens all = usage.context() + usage.output;
    return {.cached = ratio(usage.cacheRead, all),
            .newInput = ratio(usage.newPrefill(), all),
            .output = ratio(usage.output, all)};
}

/// Sums towards one row.
struct Sums {
    std::string key;
    std::string label;
    UsageTotals totals;
    TokenShares shares;  ///< sum over the requests with tokens
    double hitRates = 0; ///< sum over the requests with prompt tokens
    std::uint64_t requests = 0;
    std::uint64_t requestsWithPrompt = 0;

    void add(const CorpusCall& call) {
        totals.add(call.usage, call.quality, call.contentCharacters / 4, call.cost);
        const Tokens context = call.usage.context();
        if (context + call.usage.output > 0) {
            const TokenShares own = sharesOf(call.usage);
            shares.cached += own.cached;
            shares.newInput += own.newInput;
            shares.output += own.output;
            ++requests;
        }
        if (context > 0 && !call.usage.cacheUntold) {
            hitRates += ratio(call.usage.cacheRead, context);
            ++requestsWithPrompt;
        }
    }

    [[nodiscard]] CompositionRow row() && {
        CompositionRow row;
        row.key = std::move(key);
        row.label = std::move(label);
        row.totals = totals;
        row.tokenWeighted = sharesOf(totals.usage);
        if (requests > 0) {
            const auto n = static_cast<double>(requests);
            row.meanPerRequest = {shares.cached / n, shares.newInput / n, shares.output / n};
        }
        row.hitRate = totals.hitRate();
        row.hitRatePerRequest =
            requestsWithPrompt == 0 ? 0 : hitRates / static_cast<double>(requestsWithPrompt);
        const Usage& usage = totals.usage;
        row.readWriteRatio = usage.cacheWrite == 0 && usage.cacheRead > 0
                                 ? std::numeric_limits<double>::infinity()
                                 : ratio(usage.cacheRead, usage.cacheWrite);
        return row;
    }
};

/// Which row a call belongs to; rows appear as they are met.
class Grouping {
public:
    Grouping(const Corpus& corpus, CompositionGroup group) : corpus_(corpus), group_(group) {}

    Sums& sumsOf(const CorpusCall& call) {
        const SessionIndex session = corpus_.files[call.file].session;
        switch (group_) {
        case CompositionGroup::Session:
            return at(session, [&] { return sessionSums(corpus_.sessions[session]); });
        case CompositionGroup::Project:
            return at(numberOf(projects_, corpus_.sessions[session].project),
                      [&] { return named(corpus_.sessions[session].project, "(no project)"); });
        case CompositionGroup::Agent:
            return at(numberOf(agents_, corpus_.sessions[session].agent),
                      [&] { return named(corpus_.sessions[session].agent, "(no agent)"); });
        case CompositionGroup::Model:
            return at(call.model, [&] {
                Sums sums = named(corpus_.models[call.model], "(no model)");
                sums.label = shortModelName(sums.label);
                return sums;
            });
        case CompositionGroup::Day:
            break;
        }
        const std::int64_t day = isKnown(call.firstTime) ? utcDayNumber(asShown(call.firstTime))
                                                         : std::numeric_limits<std::int64_t>::max();
        return at(day, [&] { return named(utcDay(asShown(call.firstTime)), "(no time)"); });
    }

    std::vector<Sums> take() { return std::move(sums_); }

private:
    template <typename Make>
    Sums& at(std::int64_t number, Make make) {
        const auto [entry, isNew] = rowOf_.try_emplace(number, sums_.size());
        if (isNew) {
            sums_.push_back(make());
        }
        return sums_[entry->second];
    }

    static Sums named(const std::string& key, const char* missing) {
        Sums sums;
        sums.key = key;
        sums.label = key.empty() ? missing : key;
        return sums;
    }

    static Sums sessionSums(const Session& session) {
        Sums sums;
        sums.key = session.key;
        sums.label = session.title.empty() ? session.sessionId : session.title;
        return sums;
    }

    using Numbers = std::map<std::string, std::int64_t>;

    static std::int64_t numberOf(Numbers& numbers, const std::string& name) {
        return numbers.try_emplace(name, static_cast<std::int64_t>(numbers.size())).first->second;
    }

    const Corpus& corpus_;
    CompositionGroup group_;
    std::map<std::int64_t, std::size_t> rowOf_;
    Numbers projects_, agents_;
    std::vector<Sums> sums_;
};

void order(std::vector<CompositionRow>& rows, CompositionGroup group) {
    const auto rank = [&](const CompositionRow& a, const CompositionRow& b) {
        if (group == CompositionGroup::Day) {
            return std::pair(a.key.empty(), a.key) < std::pair(b.key.empty(), b.key);
        }
        return std::pair(b.totals.usage.context(), a.key) < std::pair(a.totals.usage.context(), b.key);
    };
    std::sort(rows.begin(), rows.end(), rank);
}

} // namespace

std::string_view keyOf(CompositionGroup group) {
    return wordOf(group, {"session", "day", "model", "project", "agent"});
}

std::optional<CompositionGroup> compositionGroupFromKey(std::string_view key) {
    return withKey(key, CompositionGroup::Agent);
}

Composition compositionOf(const Corpus& corpus, const Selection& selection, CompositionGroup group) {
    Composition composition;
    composition.group = group;
    Grouping grouping(corpus, group);
    Sums all;
    all.key = "all";
    all.label = "all";
    std::set<SessionIndex> sessions;
    std::set<SessionIndex> withoutCache;
    for (std::size_t i = 0; i < corpus.calls.size(); ++i) {
        if (i < selection.callHit.size() && selection.callHit[i] != 0) {
            const SessionIndex session = corpus.files[corpus.calls[i].file].session;
            sessions.insert(session);
            if (corpus.calls[i].usage.cacheUntold) {
                withoutCache.insert(session);
            }
            grouping.sumsOf(corpus.calls[i]).add(corpus.calls[i]);
            all.add(corpus.calls[i]);
        }
    }
    for (Sums& sums : grouping.take()) {
        composition.rows.push_back(std::move(sums).row());
    }
    order(composition.rows, group);
    composition.all = std::move(all).row();
    composition.sessions = sessions.size();
    composition.sessionsWithoutCache = withoutCache.size();
    composition.sentence = compositionSentence(composition);
    return composition;
}

Table tableOf(const Composition& composition) {
    Table table = tableWith("group label calls input_tokens cache_write_tokens cache_write_1h_tokens "
                            "cache_read_tokens output_tokens output_quality calls_final_output "
                            "cached_share_per_token new_input_share_per_token output_share_per_token "
                            "cached_share_per_request new_input_share_per_request output_share_per_request "
                            "hit_rate_per_token hit_rate_per_request read_write_ratio row");
    table.columns.front() = keyOf(composition.group);
    const auto whole = [](std::integral auto n) { return Cell(static_cast<std::int64_t>(n)); };
    const auto rate = [](const CompositionRow& row, double share) {
        return row.totals.recordsCache() ? Cell(share) : Cell();
    };
    const auto add = [&](const CompositionRow& row, const char* what) {
        const UsageTotals& totals = row.totals;
        table.rows.push_back({row.key, row.label, whole(totals.calls), whole(totals.usage.input),
                              whole(totals.usage.cacheWrite), whole(totals.usage.cacheWrite1h),
                              whole(totals.usage.cacheRead), whole(totals.usage.output),
                              std::string(keyOf(totals.outputQuality())), whole(totals.callsFinalOutput),
                              row.tokenWeighted.cached, row.tokenWeighted.newInput, row.tokenWeighted.output,
                              row.meanPerRequest.cached, row.meanPerRequest.newInput,
                              row.meanPerRequest.output, rate(row, row.hitRate),
                              rate(row, row.hitRatePerRequest), row.readWriteRatio});
        table.rows.back().emplace_back(std::string(what));
    };
    for (const CompositionRow& row : composition.rows) {
        add(row, "part");
    }
    add(composition.all, "sum");
    return table;
}

} // namespace loadline
