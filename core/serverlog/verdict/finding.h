// Findings on why a server is slow: hypotheses, each supported, excluded or not excluded, with its lines.
#pragma once

#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/log_engines.h"
#include "core/serverlog/server_log.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

enum class Verdict : std::uint8_t { Supported, Excluded, NotExcluded };

std::string_view wordOf(Verdict verdict); ///< "supported", "excluded", "not excluded"

/// One hypothesis and the evidence in the log for or against it.
struct Finding {
    std::string_view key;   ///< "concurrent_requests"
    std::string_view claim; ///< "Concurrent requests share the batch"
    Verdict verdict = Verdict::NotExcluded;
    std::string reason = {};            ///< a sentence or two, with figures
    std::vector<LogLine> evidence = {}; ///< at most mostEvidence, the telling ones first
    std::string decide = {};            ///< what to log or try that would decide it; "" where it is decided
    double weight = 0;                  ///< how much it would decide: `next` is sorted by it
    std::string headline = {};          ///< a sentence that the headline says of it; "" none of its own
};

inline constexpr std::size_t mostEvidence = 8;

/// The answer to a log in two sentences, and the findings behind them.
struct LogVerdict {
    std::string headline; ///< two sentences, and what else is to be known first
    std::vector<Finding> findings;
    std::vector<std::string> next; ///< what to log or try, in order of what it would decide
    std::vector<ObservedRate> rates;
    std::vector<LogEngine> engines;    ///< that wrote the statistics
    std::vector<LogSum> engineSums;    ///< of several: all together; empty of one
    std::optional<SpeedOfLight> light; ///< nothing where model or device is not known

    /// Observed rate / ceiling, at the lowest and highest context of the rates; not told without light.
    double shareLow = notTold;
    double shareHigh = notTold;
};

/// Returns the verdict; takes nothing from the log's facts: see servedOnLog.
LogVerdict verdictOf(const ServerLog& log, const ServedOn& served);

/// The date of a verdict, and the command that writes it again; "": not said.
struct VerdictSource {
    std::string date;
    std::string command;
};

/// The verdict for people, with the texts of its lines (in the order of the findings' evidence). As long as
/// the log deserves: of a short one, hypotheses that are not excluded are a list without their lines.
std::string markdownOf(const LogVerdict& verdict, const ServerLog& log,
                       const std::vector<std::string>& evidenceTexts, const VerdictSource& source = {});

} // namespace loadline
