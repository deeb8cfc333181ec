// A run of `loadline bench` as its events tell it.
#pragma once

#include "core/cost/profile/bench_event.h"

#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// A run as far as its events tell, for whoever watches it.
struct BenchRun {
    std::vector<BenchDevice> devices; ///< one; several after `bench --list`
    BenchPlan plan;
    BenchProgress progress;
    std::vector<BenchPoint> points; ///< each once, in the order of their first coming
    std::vector<BenchCheckFailure> checkFailures;
    std::vector<std::string> remarks;
    /// The profile so far; its method facts hold "cut" until the run is done, and it has no points before the
    /// first is measured. After "done": the final profile.
    Profile profile;
    std::string path; ///< where the profile was written
    std::string cut;  ///< of "done"
    bool done = false;
    std::optional<Error> error; ///< of "failed"
    bool operator==(const BenchRun&) const = default;
};

/// Takes one event into the run.
void apply(BenchRun& run, const BenchEvent& event);

/// The method of a run in words, as its profile names it.
std::string methodName(const std::string& preset);

/// Marks a profile as incomplete, with the reason; "" takes the mark away.
void markCut(Profile& profile, const std::string& why);
/// The reason a profile is incomplete; empty: it is complete.
std::string cutOf(const Profile& profile);

} // namespace loadline
