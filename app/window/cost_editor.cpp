// Opens the dialogs, previews what is edited, and keeps it or goes back.
#include "app/window/cost_editor.h"

#include "app/files/kept_shapes.h"
#include "app/options/cost_option.h"
#include "core/cost/kernel/dispatch_text.h"
#include "core/cost/profile/profile_naming.h"
#include "core/cost/shapes/shapes_json.h"
#include "ui/panel/kernels/rule_dialog.h"
#include "ui/panel/kernels/shapes_dialog.h"
#include "ui/theme/format.h"

#include <QDir>
#include <QFileDialog>

namespace loadline::app {
namespace {

const QString shapesFilter = QStringLiteral("JSON (*.json);;All files (*)");

} // namespace

CostEditor::CostEditor(Workbench& workbench, QWidget& window)
    : QObject(&window), workbench_(workbench), window_(window) {
    connect(&workbench.simulation(), &SimulationBench::answered, this, &CostEditor::showOutcome);
    connect(&workbench.simulation(), &SimulationBench::sourcesChanged, this, &CostEditor::nameKernels);
    connect(&workbench.kernels(), &KernelBench::listsChanged, this, &CostEditor::nameKernels);
}

void CostEditor::editRule() {
    if (rule_ || shapes_) {
        return;
    }
    const Result<DispatchRule> rule = resolveRule(workbench_.state().simulation.rule);
    rule_ = new ui::RuleDialog(rule ? *rule : *findDispatchPreset("code"), &window_);
    nameKernels();
    workbench_.kernels().knowProfiles();
    connect(rule_, &ui::RuleDialog::edited, this, &CostEditor::preview);
    open(*rule_, tr("Edit the kernels"));
    if (!rule) {
        preview();
    }
}

/// Names the rule's kernels as the simulated profile does, from the simulation's sources or else the known
/// profiles.
void CostEditor::nameKernels() {
    if (!rule_) {
        return;
    }
    const SimulationRequest& request = workbench_.state().simulation;
    const Sources& now = workbench_.simulation().sources();
    if (now && !now->error && now->names.profile == request.profile) {
        rule_->setNaming(namingOf(inputsOf(request, now->sources)));
    } else if (const auto profile = workbench_.kernels().profileOf(request.profile)) {
        rule_->setNaming(namingOf(profile.get()));
    }
}

void CostEditor::editShapes() {
    if (rule_ || shapes_) {
        return;
    }
    const Result<ModelShapes> shapes = resolveShapes(workbench_.state().simulation.shapes);
    shapes_ = new ui::ShapesDialog(shapes ? *shapes : *findShapePreset("study"),
                                   QDir::toNativeSeparators(keptShapesFolder()), &window_);
    connect(shapes_, &ui::ShapesDialog::edited, this, &CostEditor::preview);
    connect(shapes_, &ui::ShapesDialog::loadRequested, this, &CostEditor::loadShapes);
    connect(shapes_, &ui::ShapesDialog::saveRequested, this, &CostEditor::saveShapesAs);
    open(*shapes_, tr("Edit the shapes"));
    if (!shapes) {
        preview();
        shapes_->say(ui::capitalised(shapes.error().sentence()), true);
    }
}

void CostEditor::cancel() {
    if (QDialog* dialog = rule_ ? static_cast<QDialog*>(rule_) : shapes_) {
        dialog->reject();
    }
}

void CostEditor::open(QDialog& dialog, const QString& what) {
    before_ = workbench_.state().simulation;
    dialog.setAttribute(Qt::WA_DeleteOnClose);
    connect(&dialog, &QDialog::finished, this,
            [this, what](int result) { finish(result == QDialog::Accepted, what); });
    dialog.open(); // the window stays in sight and follows, but takes no input of its own
}

/// The request with what the open dialog holds. Shapes that are none of the presets are its text, or with
/// `keep` a file.
SimulationRequest CostEditor::edited(bool keep) {
    SimulationRequest request = before_;
    if (rule_) {
        request.rule = textOf(rule_->rule());
        return request;
    }
    const ModelShapes& shapes = shapes_->shapes();
    const ModelShapes* preset = findShapePreset(shapes.key);
    if (preset != nullptr && *preset == shapes) {
        request.shapes = preset->key;
        return request;
    }
    if (const Result<ModelShapes> same = resolveShapes(before_.shapes); same && *same == shapes) {
        return request; // not copied into another file
    }
    request.shapes = toJsonLine(shapes);
    if (keep) {
        const Result<std::string> path = keepShapes(shapes);
        if (path) {
            request.shapes = *path;
        } else {
            emit failed(path.error()); // the text serves as well
        }
    }
    return request;
}

void CostEditor::preview() {
    workbench_.preview(edited(false));
}

void CostEditor::finish(bool accepted, const QString& what) {
    const SimulationRequest next = accepted ? edited(true) : before_;
    workbench_.preview(before_); // the step of undo begins here
    workbench_.setSimulation(next, what);
    rule_ = nullptr;
    shapes_ = nullptr;
}

void CostEditor::loadShapes() {
    const QString path =
        QFileDialog::getOpenFileName(shapes_, tr("Load shapes"), keptShapesFolder(), shapesFilter);
    if (path.isEmpty() || !shapes_) {
        return;
    }
    const Result<ModelShapes> read = resolveShapes(path.toStdString());
    if (!read) {
        shapes_->say(ui::capitalised(read.error().sentence()), true);
        return;
    }
    shapes_->load(*read);
    shapes_->say(tr("Loaded %1.").arg(QDir::toNativeSeparators(path)), false);
}

void CostEditor::saveShapesAs() {
    const ModelShapes& shapes = shapes_->shapes();
    const QString proposed = QDir::home().filePath(QString::fromStdString(shapes.key) + ".json");
    const QString path = QFileDialog::getSaveFileName(shapes_, tr("Save shapes"), proposed, shapesFilter);
    if (path.isEmpty() || !shapes_) {
        return;
    }
    const Status saved = saveShapes(shapes, path);
    if (saved) {
        shapes_->say(tr("Saved as %1.").arg(QDir::toNativeSeparators(path)), false);
    } else {
        shapes_->say(ui::capitalised(saved.error().sentence()), true);
    }
}

void CostEditor::showOutcome(const Simulated& shown) {
    const bool current = shown->question.request == workbench_.state().simulation;
    const QString words = shown->error ? ui::capitalised(shown->error->sentence()) : QString();
    if (current && rule_) {
        rule_->setOutcome(words);
    }
    if (current && shapes_) {
        shapes_->setOutcome(words);
    }
}

} // namespace loadline::app
