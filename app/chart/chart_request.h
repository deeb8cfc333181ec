// Which chart of what, with which options: what `loadline export` is asked for and what a PNG remembers.
#pragma once

#include "app/chart/chart_spec.h"
#include "app/study/questions.h"
#include "core/session/corpus/corpus.h"
#include "core/simulate/request/simulation_request.h"
#include "core/workload/scope/scope.h"
#include "ui/chart/export_drawing.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline::app {

/// Everything that decides what a chart shows. Equal requests on equal files give equal pictures.
struct ChartRequest {
    const ChartSpec* chart = &charts::distributions;
    std::vector<std::string> paths; ///< empty: the bundled sample
    Scope scope;                    ///< here `sessions` may also hold ids and their unique beginnings
    Asked asked;                    ///< what charts have to themselves
    Questions questions;            ///< of charts of studies
    /// Request of charts that simulate; paths and scope matter only with the workload "open". Charts of
    /// kernels use its profile and k.
    SimulationRequest simulation;
    std::optional<SimulationRequest> against; ///< pinned: drawn against it
    /// Profiles that are in no file yet, under the names this request has for them: of a measurement that has
    /// not ended.
    std::map<std::string, std::shared_ptr<const Profile>> unsaved = {};
    bool operator==(const ChartRequest&) const = default;
};

struct CacheShown;
struct SimulationShown;
struct StudyShown;

/// Answers that were computed for charts and serve others.
struct ChartMemory {
    std::vector<std::shared_ptr<const SimulationShown>> answers;
    std::shared_ptr<ScheduleMemo> schedules;
    std::shared_ptr<const CacheShown> cache; ///< the last
    std::vector<std::shared_ptr<const StudyShown>> studies;
    std::stop_token stop; ///< ends what is computed; the chart is an Error then (stoppedError)
};

/// Returns the Error of a chart whose computation was stopped: nobody waits for it any more.
Error stoppedError();

/// Whether session files are needed.
bool needsCorpus(const ChartRequest& request);

/// The request without what does not matter for its kind of chart.
ChartRequest relevantPart(const ChartRequest& request);

/// The request with what "auto" came to in the answers that its chart was drawn from.
ChartRequest writtenDown(ChartRequest request, const ChartMemory& memory);

/// The `loadline export ...` command line that makes this chart again, quoted for a shell (quotedForShell).
/// Parsing it gives relevantPart(request) and the same size, scale and theme. Empty where the request has
/// profiles that are in no file: nothing would make that chart again.
std::string commandFor(const ChartRequest& request, const ui::ExportOptions& options, const std::string& out);

/// The same for several charts of one request under one name, `what`: with what any of them depends on. What
/// they have each of its own, `what` stands for.
std::string commandOf(const std::string& what, std::span<const ChartRequest> charts,
                      const ui::ExportOptions& options, const std::string& out);

/// The key of the session with this key, id or unique beginning of an id.
Result<std::string> sessionKey(const Corpus& corpus, const std::string& name);

/// Returns the small print of a chart.
std::string captionFor(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus);

/// Returns a sentence without a full stop on the data that could not be read: data behind the charts that
/// filled `memory`, or the corpus if a chart needs it; "" if all was read.
std::string incompleteFor(std::span<const ChartRequest> requests, const ChartMemory& memory,
                          const std::shared_ptr<const Corpus>& corpus);

/// Computes the figure and makes its drawing. Error when nothing is in scope or no session fits, or the
/// simulation cannot be run. `corpus` may be null where the request needs none.
/// `memory`: where several charts of the same corpus and scope are wanted, so that nothing is simulated or
/// counted twice.
ChartDrawing drawingFor(const ChartRequest& request, std::shared_ptr<const Corpus> corpus,
                        ChartMemory* memory = nullptr);

} // namespace loadline::app
