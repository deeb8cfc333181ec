// From the names in a simulation request to what they stand for.
#pragma once

#include "app/asked/figures.h"
#include "core/base/progress.h"
#include "core/simulate/request/simulation_fields.h"
#include "ui/form/field_rows.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace loadline::app {

/// The names, resolved; or why they could not be.
struct SourcesShown {
    SimulationNames names;
    Scoped open; ///< the sessions that are simulated, of the workload "open"; else null
    SimulationSources sources;
    WorkloadSummary summary;
    std::optional<Error> error;
    bool costFailed = false; ///< the error is about profile, shapes or rule, not about the workload
};

/// Everything that sourcesOf depends on: of the workload "open" which sessions, else none.
struct SourcesKey {
    SimulationNames names;
    std::shared_ptr<const Corpus> corpus;
    Scope scope;
    bool operator==(const SourcesKey&) const = default;
};

/// `open`: the sessions in scope, null without any.
SourcesKey sourcesKey(const SimulationRequest& request, const Scoped& open);

/// Reads what is named, on a worker thread. `open`: the sessions in scope, null without any.
/// `last`, if any: of the names before; its workload is taken where it is the same. `progress`: of
/// reading, for whoever looks.
SourcesShown sourcesOf(const SimulationNames& names, const Scoped& open, const SourcesShown* last,
                       std::stop_token stop, Progress* progress = nullptr);

/// Lists that the form offers, and facts that decide which of its fields matter.
struct SimulationChoices {
    SourceFacts facts;
    ui::FieldLists lists;
};

/// Given what is chosen and whether sessions are open.
SimulationChoices choicesOf(const SourcesShown* sources, const Scoped& open);

} // namespace loadline::app
