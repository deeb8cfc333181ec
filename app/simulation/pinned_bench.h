// The job behind a pinned simulation: computed once, refined, for the page that is drawn against it.
#pragma once

#include "app/simulation/simulation_bench.h"

#include <QObject>

#include <map>
#include <optional>

namespace loadline::app {

/// Returns the shown answer as that of `pinned`, if it is refined and pinning it now would give the same
/// request (`asPinned`, of the sessions of `corpus` in `scope`). Else null.
Simulated knownAnswer(const Simulated& shown, const SimulationRequest& asPinned,
                      const std::shared_ptr<const Corpus>& corpus, const Scope& scope,
                      const SimulationRequest& pinned);

class PinnedBench : public QObject {
    Q_OBJECT

public:
    explicit PinnedBench(QObject* parent = nullptr);

    /// Sets the request that `study` is drawn against from now on; nothing: it stands alone. `open`: the
    /// sessions in scope. `known`: the refined answer of `request` for that study if it exists; else null.
    void ask(const Study& study, const std::optional<SimulationRequest>& request, const Scoped& open,
             const Simulated& known);
    /// The refined answer of what was asked for, in place of the one that is being computed.
    void take(const Simulated& known);

    /// The pinned figures for a study; null where nothing is pinned, it is still computed, or cannot be
    /// simulated any more.
    [[nodiscard]] Simulated shown(const Study& study) const;
    /// Whether what was asked for is there.
    [[nodiscard]] bool isSettled() const;

signals:
    void changed();
    void failed(const loadline::Error& error);

private:
    using Figures = FigureJob<SimulationQuestion, SimulationShown>;

    void compute();
    void forget();

    std::optional<SimulationRequest> asked_;
    const Study* study_ = nullptr; ///< the one asked for, as it is pinned
    const Study* drawn_ = nullptr; ///< the one asked for
    FigureJob<SourcesKey, SourcesShown> sources_;
    std::map<const Study*, Figures> figures_;
    std::map<const Study*, Simulated> known_; ///< by the study that is drawn against it
};

} // namespace loadline::app
