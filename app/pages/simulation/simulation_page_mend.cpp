// Buttons of a simulation page that has no answer, or none that this device can give.
#include "app/options/cost_option.h"
#include "app/pages/simulation/simulation_page.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/estimate/kernel_times.h"
#include "core/cost/figure/kernel_figure.h"
#include "ui/panel/simulation/fact_strip.h"
#include "ui/panel/simulation/served_strip.h"

#include <QLabel>

#include <algorithm>
#include <memory>
#include <vector>

namespace loadline::app {
namespace {

/// The part of the request whose return to its default mends an error.
enum class Mend { Workload, Cost, KBits, Shapes, ModelMissing, Arrivals, All };

/// The first k that was timed, where the present one was not; 0 where it was, where none was, and where what
/// is missing is modelled.
int timedKInsteadOf(const SimulationShown& shown) {
    const std::shared_ptr<const Profile>& profile = shown.question.sources->sources.profile;
    const std::vector<int> timed = profile ? timedKBits(*profile) : std::vector<int>();
    return timed.empty() || shown.question.request.modelMissing ||
                   std::ranges::find(timed, specOf(shown.question.request.weights).kBits) != timed.end()
               ? 0
               : timed.front();
}

constexpr const char* studyKey = "study";

/// Whether the profile has times of every GEMM of the model.
bool isTimed(const ModelShapes& model, const Profile& profile) {
    const std::vector<TimedShape> timed = timedShapes(profile);
    return std::ranges::all_of(model.gemms, [&](const LayerGemm& gemm) {
        return std::ranges::any_of(timed, [&](const TimedShape& shape) {
            return shape.size == gemm.size && (shape.experts > 1) == gemm.grouped();
        });
    });
}

/// Whether the study's shapes were timed and the model's were not.
bool studyShapesHelp(const SimulationShown& shown) {
    const SimulationSources& sources = shown.question.sources->sources;
    const ModelShapes* const study = findShapePreset(studyKey);
    return sources.profile && study != nullptr && !isTimed(sources.shapes, *sources.profile) &&
           isTimed(*study, *sources.profile);
}

Mend mendOf(const SimulationShown& shown) {
    const SourcesShown& sources = *shown.question.sources;
    if (sources.error) {
        return sources.costFailed ? Mend::Cost : Mend::Workload;
    }
    if (shown.question.study == &crossoverStudy &&
        shown.question.request.arrivals.kind != ArrivalKind::Closed) {
        return Mend::Arrivals;
    }
    if (timedKInsteadOf(shown) != 0) {
        return Mend::KBits;
    }
    if (studyShapesHelp(shown)) {
        return Mend::Shapes;
    }
    return modellingHelps(*shown.error) ? Mend::ModelMissing : Mend::All;
}

} // namespace

void SimulationPage::followRemedies() {
    connect(remedies_, &MemoryRemedies::kBitsChosen, this, [this](int kBits) {
        SimulationRequest next = workbench().state().simulation;
        next.weights = storageOfBits(kBits);
        choose(next, tr("Take a k that fits"), true);
    });
    connect(remedies_, &MemoryRemedies::deviceChosen, this, [this](const QString& key) {
        SimulationRequest next = workbench().state().simulation;
        const bool isAtlas = findAtlasName(next.profile) != nullptr;
        const AtlasName* const measured = isAtlas ? findAtlasName(key.toStdString()) : nullptr;
        next.profile = measured != nullptr ? std::string(measured->key) : "roofline:" + key.toStdString();
        choose(next, tr("Take a device that fits"), true);
    });
}

void SimulationPage::showFailure(const SimulationShown& shown) {
    QString sentence = QString::fromStdString(shown.error->sentence());
    if (!sentence.isEmpty()) {
        sentence[0] = sentence[0].toUpper();
    }
    QString button;
    switch (mendOf(shown)) {
    case Mend::Workload:
        button = tr("Take the published reference");
        break;
    case Mend::Cost:
        button = tr("Take the published timings");
        break;
    case Mend::KBits:
        button = tr("Take k = %1").arg(timedKInsteadOf(shown));
        break;
    case Mend::Shapes:
        button = tr("Take the study's shapes");
        break;
    case Mend::ModelMissing:
        button = tr("Model the kernels that are missing");
        break;
    case Mend::Arrivals:
        button = tr("Ask over users");
        break;
    case Mend::All:
        button = tr("Back to the defaults");
        break;
    }
    note_->clear();
    facts_->setFacts({});
    served_->setTable({});
    remedies_->hide();
    frame_->setEmpty(sentence, button);
}

void SimulationPage::mend() {
    if (!workbench().simulation().isAnswered()) { // what was stopped, or failed
        resume();
        return;
    }
    if (!shown_ || !shown_->error) {
        return;
    }
    const SimulationRequest usual = firstRequest();
    SimulationRequest next = workbench().state().simulation;
    switch (mendOf(*shown_)) {
    case Mend::Workload:
        next.workload = usual.workload;
        break;
    case Mend::Cost:
        next.profile = usual.profile;
        next.shapes = usual.shapes;
        next.rule = usual.rule;
        break;
    case Mend::KBits:
        next.weights = storageOfBits(timedKInsteadOf(*shown_));
        break;
    case Mend::Shapes:
        next.shapes = studyKey;
        next.rule = firstRequest().rule;
        break;
    case Mend::ModelMissing:
        next.modelMissing = true;
        break;
    case Mend::Arrivals:
        next.arrivals.kind = ArrivalKind::Closed;
        break;
    case Mend::All:
        next = usual;
        break;
    }
    choose(next, tr("Mend the simulation"), true);
}

} // namespace loadline::app
