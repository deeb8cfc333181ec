// Figures that the pages show, computed on worker threads: pure functions of a corpus and the user's choices.
#pragma once

#include "app/asked/chosen_rows.h"
#include "core/session/corpus/corpus.h"
#include "core/workload/scope/session_tree.h"
#include "core/workload/timeline/prompt_turns.h"
#include "core/workload/timeline/selection_sum.h"
#include "core/workload/timeline/timeline.h"
#include "ui/chart/drawing.h"
#include "ui/chart/drawings.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline::app {

/// A corpus with the scope applied: what every figure starts from, and keeps alive.
struct ScopedCorpus {
    std::shared_ptr<const Corpus> corpus;
    Scope scope;
    TurnMethod method = TurnMethod::ApiCall;
    Selection selection;
    std::string description; ///< "12 of 212 sessions, model opus-4-5"
};

using Scoped = std::shared_ptr<const ScopedCorpus>;

/// The first page: who used what, in three cuts.
struct OverviewShown {
    Scoped scoped;
    std::shared_ptr<const Composition> bySession, byDay, byModel;
    UsageTotals progressOnly;                   ///< calls in scope known from progress records alone
    std::shared_ptr<const ui::Drawing> drawing; ///< of the sessions, under the page's own sentence
};

struct DistributionShown {
    Scoped scoped;
    std::shared_ptr<const DistributionFigure> figure;
    std::shared_ptr<const ui::Drawing> drawing;
};

struct TimelineShown {
    Scoped scoped;
    std::string session; ///< Session::key
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const ui::Drawing> drawing; ///< of the whole session
    std::vector<SessionPromptTurn> turns;
};

struct CompositionShown {
    Scoped scoped;
    ui::CompositionView view;
    std::shared_ptr<const Composition> figure;
    std::shared_ptr<const ui::Drawing> drawing;
};

/// The selection to be summed: rows, else the stretch of a session's timeline in view, else the scope.
struct SelectionQuestion {
    Scoped scoped;
    std::shared_ptr<const Timeline> timeline; ///< null: the scope
    ui::TimelineView view;                    ///< of the timeline
    std::optional<ChosenRows> rows;
    bool operator==(const SelectionQuestion&) const = default;
};

struct SelectionShown {
    std::string what; ///< "8 of 212 sessions, model opus-4-5", or the session and the stretch in view
    SelectionSum sum;
    std::string sentence = {}; ///< what stands over the chart; "": its own
    bool lost = false;         ///< none of the rows is in scope: the sum is of nothing
    /// Turns in view of a timeline; null: all are in view, or there is no timeline.
    std::shared_ptr<const std::vector<SessionPromptTurn>> turnsInView = nullptr;
};

ScopedCorpus scopedCorpus(std::shared_ptr<const Corpus> corpus, const Scope& scope, TurnMethod method);

OverviewShown overviewOf(const Scoped& scoped, std::stop_token stop);
DistributionShown distributionOf(const Scoped& scoped, const DistributionOptions& options);
SelectionShown selectionOf(const SelectionQuestion& question, const std::stop_token& stop);
/// `session`: see SessionsQuestion. No timeline when nothing is in scope.
TimelineShown timelineOf(const Scoped& scoped, const std::string& session, std::stop_token stop);
/// Under what the part in view holds; whole, under its own sentence.
std::shared_ptr<const ui::Drawing> timelineDrawing(const Scoped& scoped,
                                                   const std::shared_ptr<const Timeline>& timeline,
                                                   const ui::TimelineView& view);
CompositionShown compositionOf(const Scoped& scoped, CompositionGroup group, const ui::CompositionView& view);

/// The session in scope with this key, else the one with most tokens of its own, whatever of them is in
/// scope; none when nothing is in scope.
std::optional<SessionIndex> sessionShown(const ScopedCorpus& scoped, const std::string& key);

} // namespace loadline::app
