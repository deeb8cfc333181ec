// The Server log page: what the hand chooses in it, what is added to the log, and where it leads.
#include "app/asked/asked.h"
#include "app/pages/serverlog/server_log_page.h"
#include "core/base/file/write_file.h"
#include "core/cache/split/cache_model.h"
#include "core/cache/split/weights_read.h"
#include "core/cost/format/format.h"
#include "core/cost/shapes/shapes.h"
#include "core/cost/shapes/shapes_json.h"
#include "core/serverlog/files/log_follower.h"
#include "core/serverlog/files/read_server_log.h"
#include "core/serverlog/verdict/now_words.h"
#include "core/text/counted.h"
#include "core/text/plain_words.h"
#include "core/workload/source/workload_of_log.h"
#include "ui/panel/serverlog/raw_log_view.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace loadline::app {
namespace {

constexpr double zoomOfKey = 1.6;

/// Result of a poll: null if nothing is new, a longer log, or an Error if there is none any more.
using Polled = Result<std::shared_ptr<const ServerLog>>;

Polled polled(LogFollower& follower, const std::stop_token& stop) {
    const Result<bool> added = follower.poll(stop);
    if (!added) {
        return added.error();
    }
    return *added && !stop.stop_requested() ? std::make_shared<const ServerLog>(follower.log()) : nullptr;
}

/// From `first` on, as far as the log of one file reaches.
std::vector<LogLine> windowFrom(const ServerLog& log, const LogLine& first) {
    std::vector<LogLine> lines;
    for (std::uint64_t i = 0; i < ui::RawLogView::window; ++i) {
        if (log.files.size() > 1 || first.line + i <= log.lines) {
            lines.push_back({first.file, first.line + i});
        }
    }
    return lines;
}

/// Shapes of a model for the simulator: a preset's key, or their text; "": it has none.
std::string simulatedShapes(const std::string& model) {
    if (findShapePreset(model) != nullptr) {
        return model;
    }
    const CacheModel* known = findCacheModel(model);
    const auto shapes = known == nullptr ? std::nullopt : shapesOf(*known);
    return shapes ? toJsonLine(*shapes) : std::string();
}

/// The simulator's way of storing weights that is nearest to the log's bits.
struct SimulatedBits {
    const StorageSpec* weights = nullptr;
    bool exact = true; ///< within half a bit
};

SimulatedBits simulatedBits(double bitsPerWeight) {
    const auto apart = [=](const StorageSpec& spec) { // a roofline has no kernels of libraries
        return spec.kernels == WeightKernels::Library ? std::numeric_limits<double>::infinity()
                                                      : std::abs(spec.bitsEach - bitsPerWeight);
    };
    const auto nearest = std::ranges::min_element(storageSpecs, {}, apart);
    return {&*nearest, apart(*nearest) <= 0.5};
}

/// "The simulator has no shapes of gemma-4-31b: llama-3-8b stays." and what else is not the log's; "": all
/// is.
QString keptWords(const ServedSettings& served, double bitsPerWeight, const SimulationRequest& request) {
    QStringList kept;
    const QString shapes = ui::lineText(nameOfFile(request.shapes), 60);
    if (served.model.empty()) {
        kept << ServerLogPage::tr("The log names no model that is known: %1 is assumed.").arg(shapes);
    } else if (simulatedShapes(served.model).empty()) {
        kept << ServerLogPage::tr("The simulator has no shapes of %1: %2 stays.")
                    .arg(ui::lineText(served.model, 60), shapes);
    }
    if (bitsPerWeight > 0 && !simulatedBits(bitsPerWeight).exact) {
        const StorageSpec& weights = *simulatedBits(bitsPerWeight).weights;
        kept << ServerLogPage::tr("The simulator has no weights of %1 bits: %2 (%3 bits) stands for them.")
                    .arg(ui::realText(bitsPerWeight),
                         QString::fromUtf8(weights.name.data(), std::ssize(weights.name)),
                         ui::realText(weights.bitsEach));
    }
    if (served.device.empty()) {
        kept << ServerLogPage::tr("No device is said: the kernel times stay.");
    }
    return kept.join(u' ');
}

/// "The log's own latency: 20 s median, 25 s p90, of 12 requests.", to stand beside simulated ones; "": none
/// is told.
QString observedWords(const ServerLog& log) {
    const Quantiles latency = recordedServerOf(log).latencyS;
    if (latency.n == 0) {
        return {};
    }
    return ServerLogPage::tr("The log's own latency: %1 median, %2 p90, of %3.")
        .arg(ui::secondsText(latency.p50), ui::secondsText(latency.p90),
             QString::fromStdString(counted(latency.n, "request")));
}

} // namespace

void ServerLogPage::enableCommands() {
    const bool here = workbench().state().page == Page::ServerLog && shown_;
    commands_.exportVerdict->setEnabled(here);
    commands_.copyVerdict->setEnabled(here);
    const QString whyNot = shown_ ? QString::fromStdString(shown_->whyNoReplay) : tr("No log is shown");
    replay_->setEnabled(whyNot.isEmpty());
    const QString kept =
        shown_ ? keptWords(settled(*shown_), servedBits(*shown_), workbench().state().simulation) : QString();
    ui::setTip(replay_, whyNot.isEmpty()
                            ? (tr("In the Simulator: the log's requests at their times, under vLLM V1") +
                               (kept.isEmpty() ? QString() : QStringLiteral(". ") + kept))
                            : ui::capitalised(whyNot.toStdString()));
    const bool timed = shown_ && shown_->log().clock != LogClock::None;
    onlyView_->setEnabled(timed);
    onlyView_->setChecked(timed && workbench().state().asked.log.onlyView);
    ui::setTip(onlyView_, timed ? tr("The verdict is on the lines of the times in view: zoom the time line "
                                     "by wheel or drag")
                                : tr("A log that tells times can be judged in parts"));
    const bool follows = files().size() == 1;
    follow_->setEnabled(follows);
    follow_->setChecked(follows && workbench().state().asked.log.follow);
    ui::setTip(follow_, follows ? tr("Show what is added to the file, each second")
                                : tr("A log of one file can be followed"));
}

/// While the page is shown. What is followed keeps its place: nothing is chosen or moved by new lines.
void ServerLogPage::keepFollowing() {
    const WorkbenchState& state = workbench().state();
    const bool wanted =
        state.page == Page::ServerLog && state.asked.log.follow && files().size() == 1 && read_ && read_->log;
    if (!wanted) {
        pollTimer_.stop();
        polling_.stop();
        follower_.reset();
        followProblem_.clear();
        if (!now_.empty()) {
            showChosen();
        }
    } else if (!follower_) {
        follower_ = std::make_shared<LogFollower>(files().front());
        pollTimer_.start();
        poll();
    }
}

void ServerLogPage::poll() {
    if (polling_.isRunning() || !follower_) {
        return;
    }
    polling_.start(
        this, [follower = follower_](const std::stop_token& stop) { return polled(*follower, stop); },
        [this](const Polled& log) {
            if (!log) { // perhaps for a moment: a log is rotated by moving it away
                const std::string problem = log.error().sentence();
                if (std::exchange(followProblem_, problem) != problem) {
                    emit said(ui::capitalised(problem));
                    showChosen();
                }
                return;
            }
            followProblem_.clear();
            if (*log && (*log)->known() && (!log_ || (*log)->lines != log_->lines)) {
                if (!log_) {
                    raw_->setFiles(files());
                }
                if (log_ && (*log)->lines < log_->lines) { // another file: no place in it is the old one's
                    chosen_ = {};
                    fit();
                }
                judge(*log);
            } else if (followedWords() != now_) { // the last line grows old
                showChosen();
            }
        });
}

/// Returns the current figures of a followed log; "" if none is followed.
std::string ServerLogPage::followedWords() const {
    if (!follower_ || !shown_ || files().size() != 1) {
        return "";
    }
    if (!followProblem_.empty()) {
        return "Not followed: " + followProblem_ + ".";
    }
    return nowWords(shown_->log(), shown_->figure->verdict, sinceWrittenS(files().front()));
}

void ServerLogPage::lookAt(const LogLine& line) {
    chosen_ = line;
    if (!shown_) {
        return;
    }
    const auto stretch = stretchOf(workbench().state().asked.log.stretch);
    const auto moved = ui::revealing(*shown_->scene, stretch, line);
    if (moved != stretch) {
        setStretch(moved, tr("Show a line of the log"));
    } else {
        redraw();
    }
}

void ServerLogPage::chooseItem(int chart, int item) {
    const auto& drawing = grid_->view(chart)->drawing();
    if (item < 0 || !drawing) {
        lookAt({});
        return;
    }
    const LogLine line = ui::lineOf(*drawing, item);
    raw_->setEvidence({line}, drawing->title());
    lookAt(line);
}

void ServerLogPage::chooseFinding(const Finding& finding) {
    raw_->setEvidence(finding.evidence, QString::fromUtf8(finding.claim.data(), std::ssize(finding.claim)));
    if (!finding.evidence.empty()) {
        lookAt(finding.evidence.front());
    }
}

void ServerLogPage::readLines(const LogLine& first) {
    if (!log_) {
        return;
    }
    reading_.start(
        this,
        [files = log_->files, lines = windowFrom(*log_, first)](const std::stop_token& stop) {
            return readLogLines(files, lines, stop);
        },
        [this, first](Result<std::vector<std::string>> texts) {
            if (!texts) {
                raw_->setError(ui::capitalised(texts.error().sentence()));
                return;
            }
            if (log_ && log_->files.size() > 1) { // where a file ends only its lines tell
                while (!texts->empty() && texts->back().empty()) {
                    texts->pop_back();
                }
            }
            raw_->setLines({first.file, first.line, std::move(*texts)});
        });
}

void ServerLogPage::setStretch(const ui::PlotChange::Stretch& stretch, const QString& what) {
    Asked next = workbench().state().asked;
    next.log.stretch = stretch.end > stretch.begin ? LogRange{stretch.begin, stretch.end} : LogRange();
    if (next == workbench().state().asked) {
        redraw();
    } else {
        workbench().setAsked(next, what, Merge::Zoom);
    }
}

void ServerLogPage::zoomBy(double factor) {
    if (shown_) {
        const auto stretch = stretchOf(workbench().state().asked.log.stretch);
        setStretch(ui::zoomed(*shown_->scene, stretch, factor), tr("Zoom the log"));
    }
}

void ServerLogPage::zoomIn() {
    zoomBy(zoomOfKey);
}

void ServerLogPage::zoomOut() {
    zoomBy(1 / zoomOfKey);
}

void ServerLogPage::fit() {
    setStretch({}, tr("Show all of the log"));
}

/// One step of undo. Model, bits and device are those of the log, as near as the simulator has them.
void ServerLogPage::replay() {
    const ServedSettings served = settled(*shown_);
    WorkbenchState next = workbench().state();
    SimulationRequest& request = next.simulation;
    request.workload = Source(files().front());
    request.arrivals.kind = ArrivalKind::Trace;
    request.arrivals.order = TurnOrder::Auto;
    request.policy.policy = Policy::VllmV1;
    const double bits = servedBits(*shown_);
    const QString kept = keptWords(served, bits, request);
    if (const std::string shapes = simulatedShapes(served.model); !shapes.empty()) {
        request.shapes = shapes;
    }
    if (!served.device.empty()) {
        request.profile = "roofline:" + served.device;
        request.rule = firstRequest().rule;
    }
    if (bits > 0) {
        const StorageSpec& nearest = *simulatedBits(bits).weights;
        if (nearest.kernels == WeightKernels::Rule) { // fp16 is served beside
            request.weights = nearest.storage;
        }
    }
    if (const std::int64_t seqs = recordedMaxSeqs(shown_->log()); seqs > 0) {
        request.policy.maxSeqs = std::min(seqs, mostSeqs);
    }
    workbench().change(tr("Replay a log"), std::move(next));
    workbench().showPage(Page::Simulator);
    QStringList words{tr("The requests of %1 at their times, under vLLM V1.")
                          .arg(QString::fromStdString(nameOfFile(files().front()))),
                      kept, observedWords(shown_->log())};
    words.removeAll(QString());
    emit said(words.join(u' '));
}

void ServerLogPage::askToSaveVerdict() {
    if (!shown_) {
        return;
    }
    const QFileInfo log(QString::fromStdString(files().front()));
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the verdict"),
        QDir::home().filePath(log.completeBaseName() + QStringLiteral("-verdict.md")), tr("Markdown (*.md)"));
    if (!path.isEmpty()) {
        saveVerdictTo(path);
    }
}

void ServerLogPage::saveVerdictTo(const QString& path) {
    writing_.start(
        this,
        [figure = shown_->figure, file = path.toStdString()](const std::stop_token& stop) -> Status {
            const std::vector<std::string> outputs{file};
            if (Status free = refuseToOverwrite(outputs, figure->log->files); !free) {
                return free;
            }
            const Result<std::string> text = verdictText(*figure, stop);
            return text ? writeFile(file, *text) : Status(text.error());
        },
        [this, path](const Status& written) {
            emit said(written ? tr("Saved %1").arg(QDir::toNativeSeparators(path))
                              : ui::capitalised(written.error().sentence()));
        });
}

void ServerLogPage::copyVerdict() {
    if (!shown_) {
        return;
    }
    writing_.start(
        this, [figure = shown_->figure](const std::stop_token& stop) { return verdictText(*figure, stop); },
        [this](const Result<std::string>& text) {
            if (text) {
                QGuiApplication::clipboard()->setText(QString::fromStdString(*text));
            }
            emit said(text ? tr("Copied the verdict") : ui::capitalised(text.error().sentence()));
        });
}

} // namespace loadline::app
