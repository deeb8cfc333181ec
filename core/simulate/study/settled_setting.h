// One setting of a sweep whose runs have no given length.
#pragma once

#include "core/simulate/run/replica.h"
#include "core/simulate/study/sweep.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace loadline {

/// Results of one setting's replicas, at every k.
struct SweptSetting {
    std::int64_t users = 0;
    Tokens chunk = 0;
    double ratePerS = 0;                           ///< 0: closed loop
    std::vector<SweepPoint> points;                ///< by k
    std::vector<std::int64_t> peakKvBlocks;        ///< by k
    std::vector<std::int64_t> againstPeakKvBlocks; ///< by k, of the format compared with
    std::vector<double> outgrownKvBytes;           ///< by k, SweepPoint::outgrownKvBytes; may be empty
    double againstOutgrownKvBytes = 0;
    std::uint64_t steps = 0;
    std::uint64_t turns = 0;
    std::optional<Error> error;
};

/// `base` at the setting's users, rate and chunk size.
SimulationInputs inputsAt(const SweptSetting& setting, SimulationInputs base);

/// Inputs of the runs of one setting; all outlive the call.
struct SettingRuns {
    const SimulationInputs& inputs; ///< of the setting
    const SweepInputs& sweep;
    const std::vector<Storage>& weights;
    const std::vector<SweptPair>& pairs;
    const CostTables& tables;
    const std::vector<std::vector<DrawnTurn>>& turns;
};

/// At the first k, and in the format compared with, until the runs are settled; all by the longer plan of the
/// two.
void runUntilSettled(SweptSetting& setting, const SettingRuns& runs, RowsEngine& engine,
                     const std::stop_token& stop);

} // namespace loadline
