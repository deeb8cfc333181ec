// Puts the verdicts on the parts of a log together.
#include "core/serverlog/verdict/parted_verdict.h"

#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace loadline {
namespace {

/// Returns what serves a part: what is chosen, with the model, its bits and its devices as the part's lines
/// tell them where the whole log's lines told what is chosen.
ServedOn servedBy(const LogPart& part, const ServerLog& log, const ServedOn& served) {
    ServedOn unsaid = served;
    unsaid.model = nullptr;
    unsaid.bitsPerWeight = 0;
    unsaid.released = nullptr;
    unsaid.parts = nullptr;
    unsaid.devices = 0;
    const ServedOn ofLog = servedOnLog(unsaid, log).served;
    ServedOn own = served;
    if (served.own == nullptr && served.model == ofLog.model) {
        own.model = nullptr;
        if (served.bitsPerWeight == ofLog.bitsPerWeight) {
            own.bitsPerWeight = 0;
            own.released = nullptr;
            own.parts = nullptr;
        }
    }
    own.devices = served.devices == ofLog.devices ? 0 : served.devices;
    return servedOnLog(own, part.log).served;
}

bool areSideBySide(const std::vector<LogPart>& parts) {
    return std::ranges::adjacent_find(parts, [](const LogPart& before, const LogPart& after) {
               return after.first < before.last;
           }) != parts.end();
}

std::string nameOrLines(const ServerLog& log, const LogPart& part) {
    return part.name.empty() ? linesWords(log, part.first, part.last) : part.name;
}

/// "2 servers write this log.", "2 models or settings take turns."; "" where each follows the one before.
std::string leadWords(const std::vector<LogPart>& parts, bool sideBySide) {
    const bool several = std::ranges::any_of(
        parts, [&parts](const LogPart& part) { return part.source != parts.front().source; });
    return !sideBySide ? std::string()
                       : fmt::format("{} {} ", parts.size(),
                                     several ? "servers write this log." : "models or settings take turns.");
}

/// "Qwen3-8B (lines 4 to 1 734): each of ...", "Before it, Qwen3-8B ..."
std::string partWords(const ServerLog& log, const LogPart& part, std::string headline, bool before) {
    if (!headline.empty() && headline.front() >= 'A' && headline.front() <= 'Z') {
        headline.front() = static_cast<char>(headline.front() - 'A' + 'a');
    }
    const std::string lines = linesWords(log, part.first, part.last);
    return (before ? " Before it, " : "") + (part.name.empty()
                                                 ? fmt::format("{}: {}", lines, headline)
                                                 : fmt::format("{} ({}): {}", part.name, lines, headline));
}

/// True if one ceiling holds for the rates of all parts: else each part's share is in the headline alone.
bool haveOneCeiling(const std::vector<LogVerdict>& each) {
    return std::ranges::all_of(each, [&each](const LogVerdict& one) {
        const auto& first = each.front().light;
        return one.light && first && one.light->served().model == first->served().model &&
               one.light->weightsGB() == first->weightsGB() &&
               one.light->bandwidthGBs() == first->bandwidthGBs();
    });
}

/// Supported tells most, then what is not excluded.
int tellsMost(Verdict verdict) {
    return verdict == Verdict::Supported ? 0 : verdict == Verdict::NotExcluded ? 1 : 2;
}

/// The findings of one key: those that tell most, each with its part's name where their reasons differ.
Finding joined(const std::vector<std::pair<const LogPart*, const Finding*>>& findings, const ServerLog& log) {
    const auto most = std::ranges::min_element(
        findings, {}, [](const auto& one) { return tellsMost(one.second->verdict); });
    Finding all = *most->second;
    all.reason.clear();
    all.headline.clear();
    all.evidence.clear();
    const bool same = std::ranges::all_of(findings, [&most](const auto& one) {
        return one.second->verdict == most->second->verdict && one.second->reason == most->second->reason;
    });
    for (const auto& [part, finding] : findings) {
        if (finding->verdict != all.verdict) {
            continue;
        }
        if (!same) {
            all.reason += fmt::format("{}{}: {}", all.reason.empty() ? "" : " ", nameOrLines(log, *part),
                                      finding->reason);
        } else if (all.reason.empty()) {
            all.reason = finding->reason;
        }
        all.weight = std::max(all.weight, finding->weight);
        all.decide = all.decide.empty() ? finding->decide : all.decide;
        std::ranges::copy(finding->evidence, std::back_inserter(all.evidence));
    }
    all.evidence.resize(std::min(all.evidence.size(), mostEvidence));
    return all;
}

} // namespace

LogVerdict verdictOfParts(const ServerLog& log, const std::vector<LogPart>& parts, const ServedOn& served) {
    constexpr std::size_t mostNamed = 3;
    const bool sideBySide = areSideBySide(parts);
    std::vector<const LogPart*> shown; // the last one serves now
    for (const LogPart& part : parts) {
        shown.insert(sideBySide ? shown.end() : shown.begin(), &part);
    }
    LogVerdict verdict;
    std::vector<LogVerdict> each;
    std::string words = leadWords(parts, sideBySide);
    for (const LogPart* part : shown) {
        each.push_back(verdictOfOne(part->log, servedBy(*part, log, served), each.empty()));
        if (each.size() <= mostNamed) {
            words += each.size() > 1 && sideBySide ? " " : "";
            words += partWords(log, *part, each.back().headline, each.size() > 1 && !sideBySide);
        }
        std::ranges::copy(each.back().rates, std::back_inserter(verdict.rates));
    }
    if (each.size() > mostNamed) {
        words += fmt::format(" {} more {} told in the findings.", each.size() - mostNamed,
                             each.size() - mostNamed == 1 ? "is" : "are");
    }
    verdict.headline = words;
    if (haveOneCeiling(each)) {
        verdict.light = each.front().light;
        verdict.shareLow = each.front().shareLow;
        verdict.shareHigh = each.front().shareHigh;
    }
    std::ranges::stable_sort(verdict.rates, {}, [](const ObservedRate& rate) { return rate.where; });
    std::vector<std::string_view> keys;
    for (const LogVerdict& one : each) {
        for (const Finding& finding : one.findings) {
            if (std::ranges::find(keys, finding.key) == keys.end()) {
                keys.push_back(finding.key);
            }
        }
    }
    for (const std::string_view key : keys) {
        std::vector<std::pair<const LogPart*, const Finding*>> findings;
        for (std::size_t i = 0; i < each.size(); ++i) {
            const auto found = std::ranges::find(each[i].findings, key, &Finding::key);
            if (found != each[i].findings.end()) {
                findings.emplace_back(shown[i], &*found);
            }
        }
        verdict.findings.push_back(joined(findings, log));
    }
    return verdict;
}

} // namespace loadline
