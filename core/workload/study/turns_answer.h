// Turns of one method: sums and power-of-two histograms.
#pragma once

#include "core/ask/cell.h"
#include "core/session/corpus/corpus.h"
#include "core/workload/distribution/distribution.h"
#include "core/workload/distribution/histogram.h"
#include "core/workload/scope/turns.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct TurnSums {
    std::string path; ///< of a file; "": of all
    std::uint64_t turns = 0, inputAbove0 = 0, outputAbove0 = 0;
    std::uint64_t inputAbout = 0; ///< turns whose input is an estimate
    std::uint64_t inexact = 0;    ///< turns whose output is a lower bound or a placeholder
    Tokens input = 0, output = 0;
};

/// Turns by their tokens, of a power of two.
struct TurnBin {
    Tokens label = 0;
    std::uint64_t byInput = 0, byOutput = 0;
};

struct TurnSummary {
    std::string name;
    Summary of;
    ask::Basis basis = ask::Basis::Exact;
};

struct TurnsAnswer {
    std::shared_ptr<const Corpus> corpus;
    TurnMethod method = TurnMethod::ApiCall;
    TurnSums all;
    std::vector<TurnSums>
        byFile; ///< parallel to Corpus::files; a call that several files hold counts in its home
    Histogram input, output;
    std::vector<TurnBin> inputBins, outputBins, bins; ///< counts in byInput; of both
    std::vector<TurnSummary> summaries;
    std::uint64_t sessions = 0;             ///< with at least one turn
    std::uint64_t sessionsWithoutCache = 0; ///< of these, those whose input is an estimate
};

TurnsAnswer turnsAnswer(std::shared_ptr<const Corpus> corpus, TurnMethod method);

/// "API calls, each once: input + cache write, output"
std::string_view turnMethodWords(TurnMethod method);
/// "The logs of 5 of 10 sessions record no cache: ..."; "" where all do.
std::string withoutCacheSentence(const TurnsAnswer& answer);

/// The distribution that `turns --out` writes.
TokenDistribution turnsDistribution(const TurnsAnswer& answer);

} // namespace loadline
