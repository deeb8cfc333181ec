// One simulated setting in detail, its neighbourhood over users and chunk sizes.
#pragma once

#include "core/base/progress.h"
#include "core/simulate/study/crossover.h"
#include "core/simulate/study/preview_words.h"
#include "core/text/table.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// Steps whose M lies in low..high, both included.
struct RowsBin {
    std::int64_t low = 0;
    std::int64_t high = 0;
    double stepShare = 0;       ///< of all steps
    double decodeOnlyShare = 0; ///< of all steps: these hold no prefill
    std::array<double, kernelCount>
        stepShareBy{};    ///< stepShare by the kernel that takes most of the time at M
    double timeShare = 0; ///< of the k-bit time of the layers' GEMMs
    bool operator==(const RowsBin&) const = default;
};

/// How far the figure is worked out.
enum class FigureStage : std::uint8_t { Preview, Refined };

struct SimulatorFigure {
    SimulationInputs inputs;
    FigureStage stage = FigureStage::Preview;
    double relativeError = 0; ///< standard error of timeVsFp16 at the present setting, as a share of it; 0 of
                              ///< a single run, which cannot tell itself
    SimulationResult present; ///< at the present users and chunk; replicas pooled
    std::optional<RunReport> run; ///< how the present setting's runs ended; none: of a given length
    Banded timeVsFp16;            ///< at the present setting, on the same batches
    /// Set where formats are compared: both at the present setting; `present` is the own format's runs.
    std::optional<FormatPair> pair;
    KernelErrors kernelErrors; ///< in the intervals of the present setting, once refined
    ModelledShares modelled;   ///< of the present setting's GEMMs
    MemoryFit memory; ///< KV where its blocks are counted; where the weights are too large the sentence says
                      ///< only that
    std::vector<RowsBin> rows;   ///< M in logarithmic bins, ascending, without gaps
    std::vector<Kernel> kernels; ///< serving kernels that occur, in the enumeration's order
    SweepResult overUsers; ///< at the present chunk and weights: the curves; over rates of arrivals at a rate
    SweepResult map; ///< users (or rates) x chunks at the present k: the heat map; empty in a preview that
                     ///< has none yet
    std::vector<Crossover>
        crossovers; ///< at the present chunk, of the weights asked for (no intervals in a preview)
    std::string sentence;
    std::vector<std::string> provenance;

    /// Puts the error of the kernel times into timeVsFp16 and pair; once. `draws`: of the formats of inputs.
    void setKernelErrors(const KernelDraws& draws);
};

struct SimulatorFigureInputs {
    SimulationInputs base;           ///< arrivals.users and policy.chunkTokens are the markers' place
    std::vector<std::int64_t> users; ///< of the curves and the map
    std::vector<Tokens> chunks;      ///< of the map
    /// Formats whose crossovers are told.
    std::vector<Storage> weights = {Storage::K2, Storage::K3, Storage::K4, Storage::K5};
    FigureStage stage = FigureStage::Preview;
    unsigned threads = 0;
    WorkProgress* progress = nullptr; ///< counts settings of the curves and the map; null: nobody asks
    /// Called once the present setting is answered and before the curves are simulated: with the figure so
    /// far. Null: nobody asks. Not called where the setting does not fit, as nothing follows then.
    std::function<void(const SimulatorFigure&)> presentCame = {};
};

/// Preview (preview_runs.h): within about 10 ms on one core for 256 users and 8 chunks in closed loop with
/// GEMMs only.
/// Refined: base's replicas everywhere, with points added where the curve turns (users_curve.h), so that it
/// says what a sweep, a crossover and a single simulation of the same setting say.
Result<SimulatorFigure> simulatorFigure(const SimulatorFigureInputs& inputs,
                                        const std::stop_token& stop = {});
/// Puts the settled runs of the present setting into `overUsers`, a preview's curve, and works out its
/// crossovers and the sentence anew.
void putPresentInto(SimulatorFigure& figure);

/// 1, 2, ... to 16, then about ten per octave to `most`.
std::vector<std::int64_t> userGrid(std::int64_t most = 256);
/// An eighth to four times of a rate of arrivals.
std::vector<double> rateGrid(double ratePerS);
/// 64, 128, ... to 8192.
std::vector<Tokens> chunkGrid();

/// Returns everything there is to say, for a picture that stands alone.
std::string simulatorSentence(const SimulatorFigure& figure);
/// Returns simulatorSentence() without the facts that whatCounts() lists beside it: which times are modelled,
/// which outputs are lower bounds.
std::string headlineOf(const SimulatorFigure& figure);
/// Columns of each chart's table twin.
Table rowsTable(const SimulatorFigure&
                    figure); ///< m_low, m_high, step_share, decode_only_share, time_share, share by kernel
/// kernel, share_of_time, time_us, fp16_time_us and the GEMMs that it serves, of all runs together; what is
/// no GEMM has a row of its own.
Table kernelTable(const SimulatorFigure& figure);
Table usersTable(const SimulatorFigure& figure); ///< users, time_vs_fp16, low, high, average_m, decode_only,
                                                 ///< throughput, ttft, tpot, modelled shares, turns a
                                                 ///< second where arrivals have a rate
/// users, chunk_tokens, time_vs_fp16, low, high (empty of one run, which tells no spread), rate_per_s.
Table mapTable(const SimulatorFigure& figure);

} // namespace loadline
