// The Cache page: what the hand changes in it, and where it leads.
#include "app/asked/asked.h"
#include "app/chart/cache_chart.h"
#include "app/pages/cache/cache_page.h"
#include "core/cache/figure/cache_grips.h"
#include "core/cost/shapes/shapes.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/setup/setup_limits.h"
#include "core/workload/timeline/timeline.h"
#include "ui/chart/cache/cache_drawings.h"
#include "ui/panel/cache/break_list.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace loadline::app {
namespace {

constexpr int requestsChart = static_cast<int>(ui::CacheChart::Requests); // in the order of cacheCharts

/// Sessions with requests in the figure, most prompt tokens first; or the main chains of the trace.
std::vector<std::pair<QString, QString>> choicesOfRequests(const CacheShown& shown) {
    std::vector<std::pair<QString, QString>> all;
    const CacheRequests& requests = shown.figure->requests;
    if (shown.scoped) {
        for (const LaneCalls& lane : requests.lanes) {
            if (lane.lane.kind == LaneKind::Main) {
                const Session& session = requests.corpus->sessions[lane.session];
                all.emplace_back(
                    QString::fromStdString(session.title.empty() ? session.sessionId : session.title),
                    QString::fromStdString(session.key));
            }
        }
        return all;
    }
    for (const BlockChain& chain : requests.trace.chains) {
        if (!chain.subAgent) {
            all.emplace_back(QString::fromStdString(chain.id), QString::fromStdString(chain.id));
        }
    }
    return all;
}

/// The preset with this model's shapes; "": there is none.
std::string shapesOf(const std::string& model) {
    const std::string same = model == "llama-3.3-70b"        ? "llama-3.1-70b"
                             : model == "qwen3-next-80b-a3b" ? "qwen3-coder-next"
                                                             : model;
    const auto presets = shapePresets();
    return std::ranges::any_of(presets, [&](const auto& preset) { return preset.key == same; }) ? same : "";
}

/// The Simulator has no tensor parallelism: one GPU with all weights, and the blocks that they leave it.
CacheSettings onOneGpu(const CacheSettings& settings) {
    return withTensorParallel(settings, 1);
}

/// Tokens of KV that the memory of one replica holds.
double memoryTokens(const CacheSettings& settings) {
    constexpr double bytesPerGB = 1e9;
    return settings.tiers[memoryTierOf(settings.tiers)].capacityGB / replicasOf(settings).count() *
           bytesPerGB / layoutOf(settings).bytesPerToken();
}

/// The rule of kernels, and bits where weights have fewer than a half.
void takeWeights(double bytesPerWeight, SimulationRequest& request) {
    constexpr double fp16FromBytes = 1;
    request.rule = bytesPerWeight > fp16FromBytes ? "cublas_fp16" : firstRequest().rule;
    request.weights = storageOfBits(static_cast<int>(std::clamp(std::lround(8 * bytesPerWeight), 2L, 5L)));
}

/// Index of a call in its session's timeline, and the view around it.
struct CallInTimeline {
    std::optional<std::uint32_t> call;
    ui::TimelineView view;
};

CallInTimeline placeInTimeline(const ScopedCorpus& scoped, const PrefixBreak& one, TimelineAxis axis) {
    constexpr double aroundShare = 0.08; // of the whole, to either side
    const Timeline timeline = spansOf(*scoped.corpus, scoped.selection, one.session);
    const EvidencePlace place{one.file, one.place};
    const auto call = std::ranges::find(timeline.calls, place, &CallSpan::evidence);
    if (call == timeline.calls.end()) {
        return {std::nullopt, {axis, 0, -1}};
    }
    const TimelineScale scale(timeline, axis);
    const double around = scale.extent() * aroundShare;
    return {static_cast<std::uint32_t>(call - timeline.calls.begin()),
            {axis, std::max(0.0, scale.startOf(*call) - around),
             std::min(scale.extent(), scale.endOf(*call) + around)}};
}

} // namespace

void CachePage::fillRequests() {
    requestsOf_->clear();
    for (const auto& [name, key] : choicesOfRequests(*shown_)) {
        requestsOf_->addItem(ui::lineText(name, 80), key);
    }
    requestsBox_->setVisible(requestsOf_->count() > 1);
}

void CachePage::chooseRequests(int row) {
    const std::string key = requestsOf_->itemData(row).toString().toStdString();
    choose(tr("Show requests"),
           [&](Asked& next) { (shown_->scoped ? next.sessions.session : next.cache.chain) = key; });
}

void CachePage::chooseSubAgents(bool count) {
    choose(count ? tr("Count sub-agents") : tr("Count main agents alone"),
           [count](Asked& next) { next.cache.subAgents = count; });
}

void CachePage::chooseSettings(const CacheSettings& settings, const QString& what, bool finished) {
    Asked next = workbench().state().asked;
    next.cache = withSettings(next.cache, settings);
    workbench().setAsked(next, what, finished ? Merge::Parameter : Merge::Drag);
}

void CachePage::takeDrag(const ui::PlotChange& change, bool finished) {
    CacheSettings next = began_;
    const ask::Field* dragged = nullptr;
    for (const ui::PlotFieldChange& one : change.fields) {
        dragged = &ask::fieldOf(cacheGrips(), one.field);
        if (one.part < 0) {
            ask::setNumber(*dragged, one.value, &next);
        } else if (one.value) {
            dragged->traits.setPart(&next, static_cast<std::size_t>(one.part), *one.value);
        }
    }
    if (dragged != nullptr) {
        chooseSettings(next, tr("Drag %1").arg(QString::fromStdString(ask::nounOf(*dragged))), finished);
    }
}

void CachePage::askForTrace() {
    const QString last = QString::fromStdString(workbench().state().asked.cache.trace);
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a request trace"), last.isEmpty() ? QString() : QFileInfo(last).absolutePath(),
        tr("Traces (*.jsonl *.csv *.json *.tar *.tar.xz *.tar.gz *.tgz);;All files (*)"));
    if (!path.isEmpty()) {
        workbench().openTrace(path.toStdString(), workbench().state());
    }
}

/// "" where it can be simulated.
QString CachePage::whyNotSimulated() const {
    if (!shown_ || !shown_->figure || shown_->figure->input().n == 0) {
        return tr("Nothing is counted yet: open sessions or a trace first");
    }
    const CacheSettings settings = this->settings();
    const double context = meanContextOf(*shown_->figure);
    if (const ReplicaFit fit = replicaFitOf(settings, context); !fit.fits()) {
        return QString::fromStdString(doesNotFitSentence(settings.model, fit));
    }
    const ReplicaFit alone = replicaFitOf(onOneGpu(settings), context);
    return alone.fits() ? QString()
                        : tr("The Simulator has one GPU, and %1 needs a replica of %2: on one it needs %3 of "
                             "%4. Choose a model, bytes per weight or a node with which one GPU holds it")
                              .arg(QString::fromStdString(settings.model))
                              .arg(tensorParallelOf(settings))
                              .arg(ui::bytesText(static_cast<std::uint64_t>(alone.needsGB() * 1e9)),
                                   ui::bytesText(static_cast<std::uint64_t>(alone.hasGB * 1e9)));
}

void CachePage::offerToSimulate() {
    const QString whyNot = whyNotSimulated();
    simulate_->setEnabled(whyNot.isEmpty());
    ui::setTip(simulate_, !whyNot.isEmpty() ? whyNot
                                            : tr("In the Simulator, with the prefix cache on and the "
                                                 "memory's blocks, against the same without it"));
}

/// With the prefix cache on and one GPU's blocks, against the same without it: one step of undo. Prompts
/// that the replica cannot hold are refused as vLLM refuses them, so that the rest runs.
void CachePage::simulate() {
    const CacheFigure& figure = *shown_->figure;
    const CacheSettings settings = onOneGpu(this->settings());
    WorkbenchState next = workbench().state();
    SimulationRequest& request = next.simulation;
    request.workload = shown_->trace.empty() ? Source(openWorkload) : Source(shown_->trace);
    if (!shown_->trace.empty()) { // requests drawn one by one would share no prefix
        request.arrivals.kind = figure.caches.conversations ? ArrivalKind::Closed : ArrivalKind::Trace;
    }
    request.arrivals.order = TurnOrder::Auto;
    request.policy.policy = Policy::VllmV1;
    request.policy.prefixCache = true;
    const double blocks = memoryTokens(settings) / static_cast<double>(request.policy.blockTokens);
    request.policy.kvBlocks =
        static_cast<std::int64_t>(std::clamp(blocks, 2.0, static_cast<double>(limits::cachedBlocks)));
    request.policy.maxModelLen =
        std::min(PolicySetup().maxModelLen, (*request.policy.kvBlocks - 1) * request.policy.blockTokens);
    const std::string shapes = shapesOf(settings.model);
    request.shapes = shapes.empty() ? request.shapes : shapes;
    request.profile = "roofline:" + std::string(nodeOf(settings).hardware);
    takeWeights(bytesPerWeightOf(settings), request);
    next.against = request;
    next.against->policy.prefixCache = false;
    next.against->workload.pin(next.scope);
    workbench().change(tr("Simulate with this cache"), std::move(next));
    workbench().showPage(Page::Simulator);
    emit said(simulatedWords(this->settings(), shapes.empty()));
}

/// How the simulator represents the cache, and what it leaves out.
QString CachePage::simulatedWords(const CacheSettings& settings, bool otherShapes) const {
    const SimulationRequest& request = workbench().state().simulation;
    const CacheFigure& figure = *shown_->figure;
    const int gpus = tensorParallelOf(settings);
    QString words = tr("Prefix cache on, %1 KV blocks of %2: what one GPU holds beside the weights.")
                        .arg(ui::exactText(*request.policy.kvBlocks), QString::fromStdString(settings.model));
    QStringList missing;
    if (gpus > 1) {
        missing << tr("tensor parallelism (%1 GPUs a replica; times and blocks are of one %2)")
                       .arg(gpus)
                       .arg(QString::fromStdString(std::string(nodeOf(settings).hardware)));
    }
    if (memoryTierOf(settings.tiers) + 1 < settings.tiers.size()) {
        missing << tr("tiers below %1")
                       .arg(QString::fromStdString(settings.tiers[memoryTierOf(settings.tiers)].name));
    }
    if (otherShapes) {
        missing << tr("the shapes of %1").arg(QString::fromStdString(settings.model));
    }
    if (!missing.isEmpty()) {
        words += tr(" Not simulated: %1.").arg(missing.join(QStringLiteral(", ")));
    }
    if (figure.input().max >= static_cast<double>(request.policy.maxModelLen)) {
        words += tr(" Prompts of %1 tokens and more are refused and counted.")
                     .arg(ui::exactText(request.policy.maxModelLen));
    }
    return words;
}

/// A mark in the chart of requests is the row in the list: chosen in one, it is chosen in the other.
void CachePage::followBreaks() {
    ui::PlotView* view = grid_->view(requestsChart);
    toTimeline_ = new QAction(tr("Show the prefix break in the Timeline"), this);
    frame_->addFirst(toTimeline_);
    toTimeline_->setVisible(false);
    const auto choose = [this](const PrefixBreak* one) {
        break_ = one;
        toTimeline_->setVisible(one != nullptr);
        if (shown_ && requests_) {
            redraw();
        }
    };
    connect(breaks_, &ui::BreakList::breakActivated, this, &CachePage::openBreak);
    connect(breaks_, &ui::BreakList::breakChosen, this, choose);
    connect(view, &ui::PlotView::itemPicked, this, [this](int mark) { breaks_->choose(breakAt(mark)); });
    connect(view, &ui::PlotView::itemActivated, this, [this](int mark) {
        if (const PrefixBreak* one = breakAt(mark)) {
            openBreak(*one);
        }
    });
    connect(toTimeline_, &QAction::triggered, this, [this] {
        if (shown_ && break_ != nullptr) {
            openBreak(*break_);
        }
    });
}

/// Returns the prefix break at a mark in the chart of requests; null: none.
const PrefixBreak* CachePage::breakAt(int mark) const {
    if (!requests_) {
        return nullptr;
    }
    for (const RequestParts& one : requests_->requests) {
        if (one.lost != nullptr && mark-- == 0) {
            return one.lost;
        }
    }
    return nullptr;
}

void CachePage::openBreak(const PrefixBreak& one) {
    const Scoped scoped = shown_->scoped;
    const TimelineAxis axis = workbench().state().asked.sessions.timeline.axis;
    finding_.start(
        this, [scoped, one, axis](std::stop_token) { return placeInTimeline(*scoped, one, axis); },
        [this, key = scoped->corpus->sessions[one.session].key](const CallInTimeline& found) {
            Asked next = workbench().state().asked;
            next.sessions.session = key;
            next.sessions.zoomed = key;
            next.sessions.timeline = found.view;
            workbench().setAsked(next, tr("Show a prefix break"));
            workbench().showPage(Page::Timeline);
            if (found.call) {
                workbench().pin(PinnedItem{key, {ui::TimelineItem::Kind::Call, *found.call}});
            }
        });
}

/// Why there is nothing to see, and what mends it.
void CachePage::showEmpty() {
    lower_->hide();
    tiles_->hide();
    offerToSimulate();
    requestsBox_->hide();
    const bool ofTrace = !workbench().state().asked.cache.shownTrace().empty();
    if (following_) {
        frame_->setEmpty(tr("Counting\u2026"));
    } else if (shown_ && shown_->error) {
        frame_->setEmpty(ui::capitalised(shown_->error->sentence()), tr("Open a trace\u2026"));
    } else if (shown_ && shown_->figure && !ofTrace && shown_->figure->subAgentRequests() > 0) {
        frame_->setEmpty(tr("No main agent made a call in scope: all %1 API calls are of sub-agents, which "
                            "these figures do not count.")
                             .arg(shown_->figure->subAgentRequests()),
                         tr("Count sub-agents"));
    } else if (!ofTrace && workbench().corpus()) {
        shown_ ? showNothing() : frame_->setEmpty(tr("Nothing is counted."), tr("Count"));
    } else if (ofTrace) {
        frame_->setEmpty(shown_ ? tr("The trace holds no requests.") : tr("Nothing is counted."),
                         shown_ ? tr("Open a trace\u2026") : tr("Count"));
    } else {
        frame_->setEmpty(
            tr("Nothing is open. Sessions tell what the provider's cache read, wrote and lost; a "
               "request trace with blocks tells what an engine's cache would hit."),
            tr("Open a trace\u2026"));
    }
}

void CachePage::mendEmpty() {
    const bool ofTrace = !workbench().state().asked.cache.shownTrace().empty();
    if (!shown_ && (ofTrace || workbench().corpus())) {
        workbench().computeAgain(Page::Cache);
    } else if (shown_ && shown_->figure && shown_->figure->subAgentRequests() > 0) {
        chooseSubAgents(true);
    } else if (!ofTrace && workbench().corpus()) {
        workbench().clearScope();
    } else {
        askForTrace();
    }
}

} // namespace loadline::app
