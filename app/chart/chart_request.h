// Which chart of what, with which options: what `loadline export` is asked for and what a PNG remembers.
#pragma once

#include "app/simulation/self_check.h"
#include "core/base/result.h"
#include "core/cache/composition.h"
#include "core/simulate/setup/simulation_request.h"
#include "core/workload/distribution/distribution_figure.h"
#include "core/workload/scope/scope.h"
#include "ui/chart/drawings.h"
#include "ui/chart/export_drawing.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::app {

enum class ChartKind {
    Distributions,
    Timeline,
    Composition,
    SimulatorUsers,
    SimulatorRows,
    KernelShare,
    SimulatorDecode,
    SimulatorLatency,
    SimulatorMap,
    Crossover,
    WhatPays,
    KernelTimes,
    Batch,
    BatchStep,
    StudyUsers,
    StudyTurn,
    SelfCheckTtft,
    SelfCheckTpot,
    SelfCheckE2e,
    SelfCheckErrors,
    Kernels,
    KernelsCeiling,
    KernelsAttention,
};
inline constexpr ChartKind chartKinds[] = {
    ChartKind::Distributions,   ChartKind::Timeline,         ChartKind::Composition,
    ChartKind::SimulatorUsers,  ChartKind::SimulatorRows,    ChartKind::KernelShare,
    ChartKind::SimulatorDecode, ChartKind::SimulatorLatency, ChartKind::SimulatorMap,
    ChartKind::Crossover,       ChartKind::WhatPays,         ChartKind::KernelTimes,
    ChartKind::Batch,           ChartKind::BatchStep,        ChartKind::StudyUsers,
    ChartKind::StudyTurn,       ChartKind::SelfCheckTtft,    ChartKind::SelfCheckTpot,
    ChartKind::SelfCheckE2e,    ChartKind::SelfCheckErrors,  ChartKind::Kernels,
    ChartKind::KernelsCeiling,  ChartKind::KernelsAttention};
std::string keyOf(ChartKind kind);    ///< "distributions", "timeline", "simulator-users", ...
std::string describe(ChartKind kind); ///< one line for `export --list`

/// Everything that decides what a chart shows. Equal requests on equal files give equal pictures.
struct ChartRequest {
    ChartKind kind = ChartKind::Distributions;
    std::vector<std::string> paths; ///< empty: the bundled sample
    Scope scope;                    ///< here `sessions` may also hold ids and their unique beginnings
    DistributionOptions distribution;
    std::string session; ///< of a timeline: key, id or its unique beginning; "": most tokens in scope
    ui::TimelineView timeline;
    CompositionGroup group = CompositionGroup::Session;
    ui::CompositionView composition;
    SimulationRequest simulation; ///< of charts that simulate; paths and scope only with the workload "open"
    std::optional<SimulationRequest> against; ///< pinned: drawn against it
    std::optional<Scope> againstScope; ///< of the pinned one's workload "open"; none: the same sessions
    std::int64_t batchStep = 0;        ///< of the Batch view
    SelfCheckChoice selfCheck;         ///< of charts of the self-check
    // Charts of kernels: those of simulation.profile at simulation.kBits, and:
    std::string comparedProfile; ///< "": none
    std::string timedShape;      ///< "2048x5120", "2048x512x8"; "": the largest
    /// Profiles that are in no file yet, under the names this request has for them: of a measurement that has
    /// not ended.
    std::map<std::string, std::shared_ptr<const Profile>> unsaved = {};
    bool operator==(const ChartRequest&) const = default;
};

/// Charts of simulations.
constexpr bool simulates(ChartKind kind) {
    return kind >= ChartKind::SimulatorUsers && kind <= ChartKind::StudyTurn;
}

/// Charts of the self-check.
constexpr bool checksItself(ChartKind kind) {
    return kind >= ChartKind::SelfCheckTtft && kind <= ChartKind::SelfCheckErrors;
}

/// Charts of a profile's kernels.
constexpr bool showsKernels(ChartKind kind) {
    return kind == ChartKind::Kernels || kind == ChartKind::KernelsCeiling ||
           kind == ChartKind::KernelsAttention;
}

struct SimulationShown;

/// Answers of simulations that were computed for charts.
struct SimulationMemory {
    std::vector<std::shared_ptr<const SimulationShown>> answers;
};

/// Whether session files are needed.
bool needsCorpus(const ChartRequest& request);

// The words of the command line for choices that have none in core.
std::string keyOf(BinKind bins);      ///< "power-of-two", "fine"
std::string keyOf(Measure measure);   ///< "count", "share", "cumulative"
std::string keyOf(TimelineAxis axis); ///< "wall-clock", "compressed-gaps", "turn-index"

/// The request without the choices that do not matter for its kind of chart.
ChartRequest relevantPart(const ChartRequest& request);

/// Charts that can be drawn against a pinned simulation.
constexpr bool compares(ChartKind kind) {
    return kind >= ChartKind::SimulatorUsers && kind <= ChartKind::Crossover;
}

/// The `loadline export ...` command line that makes this chart again, quoted for a shell (quotedForShell).
/// Parsing it gives relevantPart(request) and the same size, scale and theme. Empty where the request has
/// profiles that are in no file: nothing would make that chart again.
std::string commandFor(const ChartRequest& request, const ui::ExportOptions& options, const std::string& out);

/// The key of the session with this key, id or unique beginning of an id.
Result<std::string> sessionKey(const Corpus& corpus, const std::string& name);

/// What a chart's small print says: the scope in words and its days.
std::string captionFor(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus);

/// Computes the figure and makes its drawing. Error when nothing is in scope or no session fits, or the
/// simulation cannot be run. `corpus` may be null where the request needs none.
/// `memory`: where several charts of the same corpus and scope are wanted, so that none is simulated twice.
Result<std::shared_ptr<const ui::Drawing>> drawingFor(const ChartRequest& request,
                                                      std::shared_ptr<const Corpus> corpus,
                                                      SimulationMemory* memory = nullptr);

} // namespace loadline::app
