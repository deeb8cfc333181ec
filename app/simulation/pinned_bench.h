// The job behind a pinned simulation: computed once, refined, for the page that is drawn against it.
#pragma once

#include "app/simulation/simulation_bench.h"

#include <QObject>

#include <optional>

namespace loadline::app {

class PinnedBench : public QObject {
    Q_OBJECT

public:
    explicit PinnedBench(QObject* parent = nullptr);

    /// What `page` is drawn against from now on; nothing: it stands alone. `open`: the sessions in scope.
    void ask(Page page, const std::optional<SimulationRequest>& request, const Scoped& open);

    /// The pinned figures for a page; null where nothing is pinned, it is still computed, or cannot be
    /// simulated any more.
    [[nodiscard]] Simulated shown(Page page) const;
    /// Whether what was asked for is there.
    [[nodiscard]] bool isSettled() const;

signals:
    void changed();
    void failed(const loadline::Error& error);

private:
    struct SourcesKey {
        SimulationNames names;
        Scoped open;
        bool operator==(const SourcesKey&) const = default;
    };

    using Figures = FigureJob<SimulationQuestion, SimulationShown>;

    void compute();
    [[nodiscard]] const Figures& figuresOf(Page page) const;

    std::optional<SimulationRequest> asked_;
    Page page_ = Page::Simulator;
    FigureJob<SourcesKey, SourcesShown> sources_;
    Figures simulator_, crossover_;
};

} // namespace loadline::app
