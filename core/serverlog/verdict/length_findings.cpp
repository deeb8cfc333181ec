// Finds whether answers run into a cap on their length.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace loadline {
namespace {

/// A number that somebody chose: a power of two or whole thousands.
bool isRound(double tokens) {
    const auto whole = static_cast<std::int64_t>(tokens);
    constexpr std::int64_t smallest = 256;
    constexpr std::int64_t thousand = 1000;
    return whole >= smallest && ((whole & (whole - 1)) == 0 || whole % thousand == 0);
}

/// An answer of which no end is told, whose time until the next request began is that of a capped one.
const LogRequest* twinOf(const LogRequest& capped, const std::vector<LogRequest>& requests) {
    constexpr double alike = 0.02;
    const double seconds = capped.endS - capped.arrivalS;
    for (const LogRequest& request : requests) {
        const double gap = capped.arrivalS - request.arrivalS;
        if (request.generates && !isTold(request.endS) && std::abs(gap - seconds) < alike * seconds) {
            return &request;
        }
    }
    return nullptr;
}

bool isFarCommoner(std::size_t count, std::size_t most) {
    constexpr std::size_t few = 4;
    constexpr std::size_t times = 3;
    return count >= few && count >= times * most;
}

/// True if so many answers of one length are no chance: hardly one is longer, or no other length, of which
/// `most` is the commonest's count, is nearly as common.
bool isNoChance(std::size_t count, std::size_t longer, std::size_t most) {
    return count > 1 && (longer <= count || isFarCommoner(count, most));
}

std::string twinWords(Finding& finding, const ServerLog& log, double length) {
    for (const LogRequest& request : log.requests) {
        if (request.outputTokens != length || !isTold(request.endS - request.arrivalS)) {
            continue;
        }
        if (const LogRequest* twin = twinOf(request, log.requests)) {
            finding.evidence.push_back(twin->first);
            return fmt::format(
                " An earlier answer had {} until this one began, which took {}: probably it ran as far.",
                formatSeconds(request.arrivalS - twin->arrivalS),
                formatSeconds(request.endS - request.arrivalS));
        }
    }
    return "";
}

} // namespace

Finding outputCap(const LogEvidence& evidence) {
    Finding finding{.key = "output_cap", .claim = "Answers run into a cap on their length"};
    finding.weight = 4;
    const double cap = parseNumber<double>(factOf(evidence.log, "max_output_tokens")).value_or(0);
    std::map<double, std::vector<LogLine>> byLength;
    std::size_t recorded = 0;
    double lengthAt = 0;
    for (const LogRequest& request : evidence.log.requests) {
        if (request.generates && isTold(request.outputTokens)) {
            ++recorded;
            byLength[request.outputTokens].push_back(request.last);
        }
    }
    std::size_t upTo = 0; // answers of this length or less
    std::size_t most = 0; // answers of one length that nobody chose
    for (const auto& [length, lines] : byLength) {
        most = isRound(length) || length == cap ? most : std::max(most, lines.size());
    }
    std::pair<bool, std::size_t> best{false, 0}; // a sure one before a common one
    for (const auto& [length, lines] : byLength) {
        const bool atCap = cap > 0 && length == cap;
        upTo += lines.size();
        const bool isSure = atCap || isNoChance(lines.size(), recorded - upTo, most);
        if (!(atCap || isRound(length)) || std::pair(isSure, lines.size()) <= best) {
            continue;
        }
        best = {isSure, lines.size()};
        lengthAt = length;
        finding.evidence = lines;
        finding.evidence.resize(std::min(lines.size(), mostEvidence));
        finding.verdict = isSure ? Verdict::Supported : Verdict::NotExcluded;
        finding.reason =
            fmt::format("{} ended at exactly {} tokens, {}.", shareWords(lines.size(), recorded, "answer"),
                        formatExact(static_cast<std::int64_t>(length)),
                        atCap ? "the cap that the log tells" : "a round number");
    }
    if (finding.evidence.size() == 1 && finding.verdict == Verdict::NotExcluded) {
        finding.reason += twinWords(finding, evidence.log, lengthAt);
    }
    if (finding.evidence.empty() && !byLength.empty() && byLength.rbegin()->second.size() > 1) {
        const auto& [length, lines] = *byLength.rbegin();
        std::size_t others = 0; // of the commonest other length
        for (const auto& [other, its] : byLength) {
            others = other == length ? others : std::max(others, its.size());
        }
        const bool isCap =
            others > 0 && isFarCommoner(lines.size(), others); // of one length all may be asked for
        finding.verdict = isCap ? Verdict::Supported : finding.verdict;
        finding.evidence = lines;
        finding.evidence.resize(std::min(lines.size(), mostEvidence));
        finding.reason = fmt::format("{} have the same length, {} tokens, and none is longer.",
                                     shareWords(lines.size(), recorded, "answer"),
                                     formatExact(static_cast<std::int64_t>(length)));
    } else if (finding.evidence.empty()) {
        finding.verdict = recorded > 0 ? Verdict::Excluded : Verdict::NotExcluded;
        finding.reason = recorded > 0
                             ? fmt::format("None of {} ended at a round number of tokens or a known cap.",
                                           counted(recorded, "answer"))
                             : "The log does not tell how long answers were.";
    }
    if (finding.verdict == Verdict::NotExcluded) {
        finding.decide = "Log why each answer ended (stop or length) and its tokens.";
    }
    return finding;
}

} // namespace loadline
