// Content of the Kernels page: lists, charts, the run, one point, and what is missing.
#include "app/kernels/kernels_list.h"
#include "app/pages/kernels/kernels_page.h"
#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/analytic/modelled_words.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_naming.h"
#include "core/cost/profile/profile_place.h"
#include "ui/panel/part/segments.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <vector>

namespace loadline::app {
namespace {

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

struct BoxEntry {
    QString name, key, toolTip;
};

/// The same choices are left alone: their list may be open.
void fill(QComboBox& box, const std::vector<BoxEntry>& choices, const QString& current) {
    const QSignalBlocker quiet(box);
    bool same = box.count() == static_cast<int>(choices.size());
    for (int i = 0; same && i < box.count(); ++i) {
        const BoxEntry& choice = choices[static_cast<std::size_t>(i)];
        same = box.itemText(i) == choice.name && box.itemData(i).toString() == choice.key;
    }
    if (!same) {
        box.clear();
        for (const BoxEntry& choice : choices) {
            box.addItem(ui::lineText(choice.name), choice.key);
            ui::setItemTip(&box, box.count() - 1, choice.toolTip);
        }
    }
    box.setCurrentIndex(std::max(0, box.findData(current)));
}

} // namespace

void KernelsPage::showState(const WorkbenchState& state) {
    const KernelsQuestion now = state.asked.kernels;
    list_->setCurrent(text(now.shown));
    bench_->setChoice(now.bench);
    kBits_->setCurrent(now.kBits - minKBits);
    showRun();
    showUse();
    say();
}

void KernelsPage::showLists() {
    list_->setEntries(profileEntries(kernels_));
    list_->setCurrent(text(view().shown));
    showRun();
    showChoices();
    showUse();
    say();
}

/// The boxes over the chart: shapes of this profile, and profiles to compare it with.
void KernelsPage::showChoices() {
    if (shown_ && shown_->figure) {
        std::vector<BoxEntry> shapes;
        for (const TimedShape& shape : timedShapes(*shown_->profile)) {
            QString name = text(textOf(shape.size)).replace('x', " x ");
            if (shape.experts > 1) {
                name += tr(", %1 experts").arg(shape.experts);
            }
            shapes.push_back({name, text(textOf(shape)), {}});
        }
        fill(*shape_, shapes, text(textOf(shown_->figure->inputs.shape)));
    }
    std::vector<BoxEntry> profiles{{tr("nothing"), {}, {}}};
    for (const ui::ProfileEntry& entry : list_->profiles().entries()) {
        const std::string key = entry.key.toStdString();
        if (!key.empty() && key != view().shown &&
            (isModelName(key) || findAtlasName(key) != nullptr || kernels_.profileOf(key))) {
            profiles.push_back(
                {isDevice(key) ? tr("%1, newest").arg(entry.name) : entry.name, entry.key, entry.toolTip});
        }
    }
    fill(*compared_, profiles, text(view().compared));
}

void KernelsPage::showRun() {
    ui::BenchState state;
    state.running = kernels_.isMeasuring();
    if (state.running) {
        const BenchRun& run = kernels_.run();
        state.device = run.devices.empty() ? text(kernels_.measured()) : text(run.devices.front().name);
        state.doing = text(run.progress.doing);
        state.done = run.progress.done;
        state.total = run.progress.total;
        state.secondsLeft = run.progress.total > 0 ? run.progress.secondsLeft : -1;
        state.cancelling = kernels_.isCancelling();
    }
    bench_->setState(state);
    const BenchDevice* const device = deviceOf(view().shown);
    bench_->setDevice(device != nullptr ? text(device->name) : QString(),
                      device == nullptr ? tr("Choose a device of this machine above to measure it")
                      : !device->unavailable.empty() ? text(device->unavailable)
                                                     : QString());
    commands_.measure->setText(state.running ? tr("Cancel the &measurement") : tr("&Measure kernels"));
    if (state.running) {
        list_->setEntries(profileEntries(kernels_));
    }
    say();
}

void KernelsPage::show(const ShownKernels& shown) {
    const bool other = !shown_ || shown_->view.shown != shown->view.shown ||
                       shown_->view.shape != shown->view.shape || shown_->view.kBits != shown->view.kBits;
    shown_ = shown;
    if (other) {
        picked_.reset();
    }
    showChoices();
    showUse();
    if (!shown->figure) {
        picked_.reset();
        showPoint();
        showNothing(*shown);
        return;
    }
    showDrawings();
    showPoint();
    say();
}

void KernelsPage::showDrawings() {
    for (int i = 0; i < grid_->count(); ++i) {
        const auto chart = ui::kernelCharts[static_cast<std::size_t>(i)];
        const auto& before = grid_->view(i)->drawing();
        // While points arrive the axes only grow.
        const ui::PlotExtents held = kernels_.isMeasuring() && before ? before->extents() : ui::PlotExtents();
        grid_->view(i)->setDrawing(ui::drawingOf(chart, shown_->figure, picked_, held));
    }
    frame_->setDrawing(grid_->view(grid_->chosen())->drawing());
}

/// Shows what is missing, and the one button that mends it.
void KernelsPage::showNothing(const KernelsShown& shown) {
    if (shown.error) {
        QString sentence = text(shown.error->sentence());
        if (!sentence.isEmpty()) {
            sentence[0] = sentence[0].toUpper();
        }
        frame_->setEmpty(sentence, tr("Show the published timings"));
        return;
    }
    const BenchDevice* const device = deviceOf(shown.view.shown);
    if (device == nullptr) {
        frame_->setEmpty(kernels_.deviceFailure().isEmpty()
                             ? tr("This device or profile is not there any more.")
                             : tr("The devices cannot be listed: %1").arg(kernels_.deviceFailure()),
                         tr("Show the published timings"));
        return;
    }
    if (kernels_.isMeasuring() && kernels_.measured() == device->key) {
        frame_->setEmpty(tr("Measuring %1: each kernel is checked first, then curves appear here.")
                             .arg(text(device->name)));
        return;
    }
    if (!device->unavailable.empty()) {
        frame_->setEmpty(tr("%1 cannot be measured: %2").arg(text(device->name), text(device->unavailable)),
                         tr("Show the published timings"));
        return;
    }
    QString sentence = tr("%1 has not been measured yet.").arg(text(device->name));
    if (kernels_.outcome() && kernels_.outcome()->device == device->key &&
        !kernels_.outcome()->why.isEmpty()) {
        sentence = tr("%1 No point had been measured.").arg(kernels_.outcome()->why);
    }
    frame_->setEmpty(sentence, tr("Measure it (%1)").arg(text(view().bench.preset)));
}

void KernelsPage::showPoint() {
    std::optional<ui::PointShown> details;
    if (picked_ && shown_ && shown_->figure) {
        const KernelFigure& figure = *shown_->figure;
        for (const KernelCurve& curve : figure.curves) {
            if (curve.profile != picked_->profile || curve.kernel != picked_->kernel) {
                continue;
            }
            const Profile& profile = curve.profile == 0 ? *figure.inputs.profile : *figure.inputs.compared;
            const std::string& key = curve.profile == 0 ? shown_->view.shown : shown_->view.compared;
            for (const KernelMark& mark : curve.marks) {
                const ProfilePoint& point = profile.points[mark.point];
                if (point.rowsM != picked_->rowsM) {
                    continue;
                }
                details = ui::PointShown{point,
                                         nameOf(profile, key),
                                         {},
                                         mark.boundUs,
                                         mark.byArithmetic,
                                         text(figure.boundSource),
                                         {},
                                         0,
                                         {},
                                         KernelNaming::Role,
                                         {}};
                details->naming = namingOf(figure, curve.profile);
                details->partsUs = mark.partsUs;
                details->code = text(codeNameOf(point, profile));
                details->origin = text(std::string(originWords(profile, point)));
                details->elsewhere = text(point.source.empty() ? profile.source : point.source);
                if (const GpuFacts* gpu = findGpu(profile.hardware);
                    gpu != nullptr && isUnvalidated(point) && point.name.empty()) {
                    const auto time =
                        modelledTime(*gpu, point.kernel, point.size, static_cast<double>(point.rowsM),
                                     point.kBits, point.experts);
                    details->modelled = time ? text(partsText(*time)) : QString();
                    if (const std::string why = whySlowerThanNibbles(*gpu, point.kernel, point.size,
                                                                     point.rowsM, point.kBits, point.experts);
                        !why.empty()) {
                        details->modelled += text("; " + why);
                    }
                    details->origin = tr("modelled, unvalidated");
                    details->elsewhere = tr("no measured GPU compared");
                }
                if (const BenchPoint* measured = kernels_.samplesOf(key, point)) {
                    details->samples = measured->samples;
                    details->dropped = measured->dropped;
                }
            }
        }
    }
    point_->setPoint(details);
    point_->setVisible(details.has_value());
}

void KernelsPage::showUse() {
    const std::string name = kernels_.profileNameOf(view().shown);
    const bool there = !name.empty() && kernels_.profileOf(view().shown);
    const bool used = there && workbench().state().simulation.profile == name;
    use_->setText(used ? tr("See the crossover") : tr("Use for the simulation"));
    ui::setTip(use_, used ? tr("Simulations take these kernel times; the Crossover page shows what follows")
                     : there ? commands_.use->toolTip()
                             : tr("There is no profile to use yet: measure, or wait for the end of the run"));
    use_->setEnabled(there);
    commands_.use->setEnabled(there && !used);
    commands_.save->setEnabled(kernels_.profileOf(view().shown) != nullptr);
}

/// Shows what was just done, else how the last run of the shown device ended; of a GPU that others measured,
/// the times that a kernel must stay below.
void KernelsPage::say() {
    QString words = flash_;
    const std::optional<RunOutcome>& outcome = kernels_.outcome();
    if (words.isEmpty() && outcome && view().shown == std::string(devicePrefix) + outcome->device) {
        if (!outcome->why.isEmpty()) {
            words = outcome->why;
            if (outcome->points > 0) {
                words += tr(" The %1 points measured until then are kept.").arg(outcome->points);
            }
        } else if (!outcome->path.empty()) {
            words = tr("Saved with the profiles of this machine.");
        }
        if (outcome->notSaved) {
            words += ' ' + text(outcome->notSaved->sentence());
        }
    }
    if (words.isEmpty() && shown_ && shown_->view.shown == view().shown) {
        words = text(shown_->timesToBeat);
    }
    words = ui::linesText(words);
    if (note_->text() != words) { // every setText lays the page out anew
        note_->setText(words);
    }
}

} // namespace loadline::app
