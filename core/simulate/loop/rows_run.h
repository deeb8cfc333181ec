// A run of the fast way: the part of a setting that it depends on, and its steps counted by their rows M.
#pragma once

#include "core/cost/estimate/cost_model.h"
#include "core/simulate/loop/rows_tally.h"
#include "core/simulate/setup/setup.h"

#include <cstdint>
#include <vector>

namespace loadline {

/// The part of a setting that the fast way depends on.
struct RowsSetup {
    Policy policy = Policy::SinglePrefill; ///< one that has a loop
    std::int64_t users = 1;
    Tokens chunkTokens = 512; ///< 0: none (VllmV1)
    Tokens budgetTokens = 8192;
    std::int64_t maxSeqs = 256;
    bool chunkedPrefill = true; ///< VllmV1
    StudyFit fit;               ///< SinglePrefill
    RunLength length;
    bool warmStart = false; ///< SimulationInputs::warmStart
    bool hasHead = false;   ///< the model's: its rows are counted, and timed where there is a clock
    bool operator==(const RowsSetup&) const = default;
};

/// How often steps had M rows, and their heads so many.
struct RowsHistogram {
    std::vector<std::uint64_t> steps;      ///< at index M; those that only decode are in it
    std::vector<std::uint64_t> decodeOnly; ///< at index M; may be shorter
    std::vector<std::uint64_t> head;       ///< forwards at index of their head's rows; empty: not counted
    [[nodiscard]] std::uint64_t iterations() const;
    [[nodiscard]] std::uint64_t decodeOnlyIterations() const;
    [[nodiscard]] double averageRows() const;     ///< 0 without steps
    [[nodiscard]] double averageHeadRows() const; ///< of a step; 0 where they are not counted
    /// Adds one forward.
    void add(ForwardRows forward, bool isDecodeOnly, bool hasHead) {
        ++at(steps, forward.m);
        if (isDecodeOnly) {
            ++at(decodeOnly, forward.m);
        }
        if (hasHead) {
            ++at(head, forward.head);
        }
    }

    bool operator==(const RowsHistogram&) const = default;

private:
    static std::uint64_t& at(std::vector<std::uint64_t>& counts, std::int64_t rows) {
        const auto place = static_cast<std::size_t>(rows);
        if (counts.size() <= place) {
            counts.resize(place + 1);
        }
        return counts[place];
    }
};

/// Steps with `rows` rows, and forwards whose head had so many.
struct RowsCount {
    std::int32_t rows = 0;
    std::int64_t steps = 0;
    std::int64_t decodeOnly = 0; ///< of them
    std::int64_t headSteps = 0;
    bool operator==(const RowsCount&) const = default;
};

/// Each M of both tallies once, then each number of the head's rows; in no order.
std::vector<RowsCount> countsOf(const RowsTally& mixed, const RowsTally& decodeOnly, const RowsTally& head);
/// Writes countsOf() into `counts`, which keeps its memory.
void putCounts(std::vector<RowsCount>& counts, const RowsTally& mixed, const RowsTally& decodeOnly,
               const RowsTally& head);

struct RowsRun {
    std::vector<RowsCount> counts; ///< each M once, then each number of the head's rows once; in no order
    std::int64_t iterations = 0;
    std::int64_t decodeOnly = 0;
    std::int64_t turns = 0; ///< answered
    std::int64_t tokensIn = 0;
    std::int64_t tokensOut = 0;

    [[nodiscard]] RowsHistogram histogram() const;
};

} // namespace loadline
