// The published study's two tables beside what we get: reference data, nothing is tuned to it.
#pragma once

#include "core/base/statistics.h"
#include "core/simulate/run/result.h"
#include "core/text/table.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Source of all published figures: "Token analysis", T. Dettmers, bitsandbytes df55daf8, 2026-02-16.
inline constexpr std::string_view studySource =
    "T. Dettmers, token_analysis.md, bitsandbytes commit df55daf8, 2026-02-16";

/// A line of its multi-user table (k = 4, chunk 512). Shares of the k-bit time where it prints them.
struct PublishedUsers {
    std::int64_t users = 0;
    double averageM = 0;
    double decodeOnlyFraction = 0;
    double timeVsFp16 = 0;
    std::optional<double> scalarShare, mmaShare, dequantShare;
};
std::span<const PublishedUsers> publishedUsers();
/// The line of so many users; null where the study has none.
const PublishedUsers* publishedUsersOf(std::int64_t users);

/// Its single-user table: one layer and turn, k = 4.
struct PublishedTurn {
    double decodeUs = 6347; ///< 114 steps x 55.6 us
    double prefillUs = 1260;
    double timeVsFp16 = 0.57;
};

/// How the study's words are read.
enum class StudyReading : std::uint8_t {
    Plain,     ///< single-prefill, taken literally
    StudyLike, ///< the same with StudyFit{16384, 32}: fitted to these very columns
    VllmV1,    ///< what vLLM V1 does with a prefill threshold of 512
};
inline constexpr std::array studyReadings = {StudyReading::Plain, StudyReading::StudyLike,
                                             StudyReading::VllmV1};
std::string_view keyOf(StudyReading reading);  ///< "plain", "study-like", "vllm-v1"
std::string_view nameOf(StudyReading reading); ///< for people
PolicySetup policyOf(StudyReading reading);

inline constexpr int publishedKBits = 4; ///< of both tables
inline constexpr Storage publishedWeights = storageOfBits(publishedKBits);
inline constexpr double publishedInputToOutput = 13.7; ///< printed: of all tokens counted
/// "Token Composition of Agentic Workloads" on Manus AI: of prompts as a whole.
inline constexpr double reportedInputToOutput = 100;

/// Tokens of a workload: how many go in for one that comes out.
struct InputToOutput {
    std::string name; ///< "published distributions"
    double ratio = 0; ///< mean input / mean output of a turn, what is read from the cache not counted
    std::optional<double> withContext; ///< prompts as a whole, context from the cache among them
    bool operator==(const InputToOutput&) const = default;
};
/// Nothing without outputs.
std::optional<InputToOutput> inputToOutputOf(const Workload& workload);

/// Our line beside a published one: spread over seeds.
struct ReproducedUsers {
    std::int64_t users = 0;
    Spread averageM, decodeOnlyFraction, timeVsFp16;
    Spread scalarShare, mmaShare, dequantShare; ///< of the k-bit time
};

/// Our single user: one turn, all its decode-only steps, and the others. Of runs of whole turns: counted in
/// steps, a run ends within a turn, a long one more often than not, and puts its time upon the others.
struct ReproducedTurn {
    Spread decodeUs, prefillUs, timeVsFp16;
};

struct Reproduction {
    StudyReading reading = StudyReading::Plain;
    std::vector<ReproducedUsers> users; ///< as publishedUsers()
    ReproducedTurn turn;
};

struct StudyTables {
    Storage weights = publishedWeights;
    std::vector<InputToOutput> ratios; ///< of the reference; of the sessions asked about, if any
    std::int64_t seeds = 0;
    std::int64_t iterations = 0;
    std::int64_t turns = 0;             ///< a run of the single user's
    std::vector<Reproduction> readings; ///< as studyReadings
    bool isPreview = false;             ///< of fewer or shorter runs than the comparison took: shown as one
    std::vector<std::string> provenance;
};

/// Simulates the study's setting (reference workload, its shapes, rule "published", chunk 512, budget 8192)
/// under each reading. Of `base` the profile, hardware, k and seed count, and its workload for the ratios; 16
/// seeds of 10,000 iterations are what the comparison of spec/published_study section 7 took; the single
/// user's turn is that of as many turns. When stopped, an Error.
Result<StudyTables> studyTables(const SimulationInputs& base, std::int64_t seeds = 16,
                                std::int64_t iterations = studyIterations, unsigned threads = 0,
                                const std::stop_token& stop = {});

/// Returns the printed value at this k: rows M and steps do not depend on it, times and shares do.
std::optional<double> printedAt(const StudyTables& tables, double figure);

/// Returns the known reasons for the differences, one sentence each.
std::vector<std::string> studyNotes(const StudyTables& tables);
/// One row for each reading and number of users, published beside ours.
Table usersTable(const StudyTables& tables);
/// One row for each reading: the single user's turn.
Table turnTable(const StudyTables& tables);

} // namespace loadline
