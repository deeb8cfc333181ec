// Turns of one method: sums, power-of-two histograms, and what documents and text show of them.
#pragma once

#include "core/ask/table_of.h"
#include "core/session/corpus/corpus.h"
#include "core/workload/distribution/distribution.h"
#include "core/workload/distribution/histogram.h"
#include "core/workload/distribution/turns.h"

#include <cstdint>
#include <memory>
#include <string>
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

/// Its columns read the answer, which must live as long.
ask::Report turnsReport(const TurnsAnswer& answer);

/// The distribution that `turns --out` writes.
TokenDistribution turnsDistribution(const TurnsAnswer& answer);

} // namespace loadline
