// A chart as one row: its words, its subject and how it is drawn, for exports and for pages.
#pragma once

#include "app/asked/asked.h"
#include "core/ask/study.h"
#include "core/base/result.h"
#include "core/simulate/request/simulation_request.h"

#include <QString>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {
struct Corpus;
}

namespace loadline::ui {
class Drawing;
class PlotDrawing;

} // namespace loadline::ui

namespace loadline::app {

struct ChartMemory;
struct ChartRequest;
struct ScopedCorpus;
struct SimulationShown;
struct Study;

enum class ChartSubject : std::uint8_t {
    Sessions,
    Cache,     ///< of sessions, or of a trace (CacheQuestion::trace)
    ServerLog, ///< of ServerLogQuestion::files
    Simulation,
    SelfCheck,
    Kernels,
    Study ///< ChartSpec::asks
};

using ChartDrawing = Result<std::shared_ptr<const ui::Drawing>>;
using Plot = std::unique_ptr<ui::PlotDrawing>;

/// The content of a simulated chart.
struct PlotQuestion {
    const SimulationShown& shown;                         ///< without error
    const std::shared_ptr<const SimulationShown>& pinned; ///< drawn against it; null: alone
    const std::vector<double>& held; ///< extents of the chart shown while a hand drags in it; else empty
    const Asked& asked;
    const SimulationRequest& now; ///< as the hand has it: the answer's own, or newer
};

struct ChartSpec {
    std::string_view key;         ///< "simulator-users"
    std::string_view description; ///< one line for `export --list`
    ChartSubject subject{};
    /// Small print: what it is of. `corpus`: may be null where the chart needs none.
    std::string (*caption)(const ChartRequest& request,
                           const std::shared_ptr<const Corpus>& corpus) = nullptr;
    FieldKeys fields = {}; ///< keys that matter for it
    /// Draws a chart that simulates nothing. `scoped`: null if it needs no sessions. `memory`: may be null.
    ChartDrawing (*draw)(const ChartRequest& request, const std::shared_ptr<const ScopedCorpus>& scoped,
                         ChartMemory* memory) = nullptr;
    const ask::Study* asks = nullptr;                     ///< of a plot of a study
    const Study* study = nullptr;                         ///< of a simulated chart: what is computed
    Plot (*plot)(const PlotQuestion& question) = nullptr; ///< and how it is drawn
    QString (*title)() = nullptr;                         ///< beside others of its page
    bool followsHand = false;       ///< shows what the hand sets before there is an answer
    bool compares = false;          ///< can be drawn against a pinned simulation
    std::string_view variants = {}; ///< `export all` writes one for each choice of this field
    bool hasOwnTimes = false;       ///< simulated with kernel times that no option names
    int leastHeight = 0;            ///< in a window, beside others of its page
    bool variesLoad = false;        ///< over users or rates, of which a trace has none
};

namespace charts {

extern const ChartSpec distributions;

} // namespace charts

using ChartSpecs = std::vector<const ChartSpec*>;

/// In the order of `export --list`.
const ChartSpecs& chartSpecs();
/// Null where there is none of this key.
const ChartSpec* chartNamed(std::string_view key);

} // namespace loadline::app
