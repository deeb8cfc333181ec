// Reads a file of kernel timings, previews it and adds what was chosen.
#include "app/window/kernel_importer.h"

#include "app/files/this_machine.h"
#include "app/kernels/kernels_list.h"
#include "app/kernels/use_profile.h"
#include "app/options/cost_option.h"
#include "core/base/file/read_file.h"
#include "core/cost/import/import_kernels.h"
#include "ui/chart/kernels/kernel_drawings.h"
#include "ui/panel/kernels/import_dialog.h"
#include "ui/theme/format.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace loadline::app {
namespace {

constexpr std::size_t mostBytes = std::size_t{256} << 20;

Result<KernelImport> readImport(const std::string& path, const std::string& device = {}) {
    const Result<std::string> text = readWholeFile(path, "the timings", mostBytes);
    if (!text) {
        return text.error();
    }
    return readKernelImport(*text, path, thisMachine(), device);
}

/// The kernels to add, and the profile that they become.
struct Addition {
    KernelImport offer;
    std::shared_ptr<const Profile> base; ///< null: a profile of its own
    std::string name;
    TimedShape shape;
    int kBits = 4;
    SimulationRequest simulation; ///< that may take it
};

Profile profileOf(const Addition& addition) {
    const Profile theirs = loadline::profileOf(addition.offer);
    Profile both = addition.base ? withKernelsOf(*addition.base, theirs) : theirs;
    both.name = addition.name.empty() ? theirs.name : addition.name;
    return both;
}

struct Looks {
    std::string problem;
    std::vector<std::string> remarks;
    std::shared_ptr<const KernelFigure> figure;
};

Looks looksOf(const Addition& addition) {
    Looks looks;
    const Result<DispatchRule> rule = resolveRule(addition.simulation.rule);
    looks.remarks = remarksOf(addition.offer, addition.base.get(), rule ? *rule : dispatchPresets().front());
    if (const auto problem = problemOf(addition.offer)) {
        looks.problem = *problem + ".";
        return looks;
    }
    if (std::string shapes = shapesRemarkOf(addition.simulation, loadline::profileOf(addition.offer));
        !shapes.empty()) {
        looks.remarks.push_back(std::move(shapes));
    }
    KernelFigureInputs inputs;
    inputs.profile = std::make_shared<const Profile>(profileOf(addition));
    inputs.shape = addition.shape;
    inputs.kBits = addition.kBits;
    looks.figure = std::make_shared<const KernelFigure>(kernelFigure(inputs));
    return looks;
}

} // namespace

KernelImporter::KernelImporter(Workbench& workbench, QWidget& window)
    : QObject(&window), workbench_(workbench), window_(window) {
    const auto fail = [this](const Error& error) { emit failed(error); };
    reading_.onFailure(fail);
    drawing_.onFailure(fail);
    connect(&workbench.kernels(), &KernelBench::listsChanged, this, &KernelImporter::open);
    connect(&workbench.kernels(), &KernelBench::added, this, &KernelImporter::finish);
}

void KernelImporter::askForFile() {
    const QString path = QFileDialog::getOpenFileName(&window_, tr("Import kernels"), QString(),
                                                      tr("CSV, NVBench, profiles (*.csv *.json);;"
                                                         "All files (*)"));
    if (!path.isEmpty()) {
        read(path);
    }
}

void KernelImporter::read(const QString& path) {
    if (dialog_) {
        dialog_->reject();
    }
    workbench_.kernels().knowProfiles();
    const QString file = QFileInfo(path).absoluteFilePath();
    emit said(tr("Reading %1\u2026").arg(QDir::toNativeSeparators(file)));
    reading_.start(
        this, [name = file.toStdString()](std::stop_token) { return readImport(name); },
        [this, file](Result<KernelImport> offer) {
            emit said({});
            if (offer) {
                offer_ = std::move(*offer);
                file_ = file;
                open();
            } else {
                emit failed(offer.error());
            }
        });
}

std::shared_ptr<const Profile> KernelImporter::base() const {
    const std::optional<int> copied = dialog_->copied();
    return copied ? offered_[static_cast<std::size_t>(*copied)] : nullptr;
}

/// Opens the dialog once the profiles that may be copied are known.
void KernelImporter::open() {
    const KernelBench& kernels = workbench_.kernels();
    if (!offer_ || !kernels.knowsProfiles()) {
        return;
    }
    const std::string key = workbench_.state().asked.kernels.shown;
    const ShownKernels& page = kernels.shown();
    const auto shown = kernels.profileOf(key);
    offered_.clear();
    QStringList names;
    std::optional<int> place;
    const auto offer = [&](const std::shared_ptr<const Profile>& profile, const QString& name) {
        const auto same = std::ranges::find_if(
            offered_, [&](const auto& other) { return *other == *profile; }); // saved, and opened from a file
        if (shown && *profile == *shown) {
            place = static_cast<int>(same - offered_.begin());
        }
        if (same == offered_.end()) {
            names << (names.contains(name) ? tr("%1 (%2)").arg(name, describe(*profile)) : name);
            offered_.push_back(profile);
        }
    };
    for (const SavedProfile& saved : knownProfiles(kernels)) {
        offer(saved.profile, datedNameOf(saved));
    }
    if (shown && !place) { // a run that has not been saved, a model
        offer(shown, nameOf(*shown, key));
    }
    if (place) {
        names[*place] = nameOf(*shown, key);
    }
    dialog_ = new ui::ImportDialog(std::move(*offer_), QDir::toNativeSeparators(file_), names, place,
                                   page && page->figure ? page->figure->inputs.shape
                                   : shown              ? shapeShown(*shown, "").value_or(TimedShape{})
                                                        : TimedShape{},
                                   &window_);
    offer_.reset();
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &ui::ImportDialog::edited, this, &KernelImporter::preview);
    connect(dialog_, &ui::ImportDialog::deviceAsked, this, &KernelImporter::readAgain);
    connect(dialog_, &QDialog::accepted, this, &KernelImporter::add);
    connect(dialog_, &QDialog::finished, this, [this] { drawing_.stop(); });
    preview();
    dialog_->open();
}

/// Reads the file again for another one of its devices.
void KernelImporter::readAgain(const QString& device) {
    reading_.start(
        this,
        [name = file_.toStdString(), device = device.toStdString()](std::stop_token) {
            return readImport(name, device);
        },
        [this](Result<KernelImport> offer) {
            if (!offer) {
                emit failed(offer.error());
            } else if (dialog_) {
                dialog_->setOffer(std::move(*offer));
            }
        });
}

void KernelImporter::preview() {
    Addition addition{onDevice(dialog_->offer(), dialog_->device()),
                      base(),
                      dialog_->profileName().toStdString(),
                      dialog_->shape(),
                      dialog_->kBits(),
                      workbench_.state().simulation};
    drawing_.start(
        this, [addition = std::move(addition)](std::stop_token) { return looksOf(addition); },
        [this](const Looks& looks) {
            if (!dialog_) {
                return;
            }
            ui::ImportDialog::Preview preview;
            if (looks.figure) {
                preview.drawing = ui::drawingOf(ui::KernelChart::Times, looks.figure);
            }
            preview.remarks << ui::listFromUtf8(looks.remarks);
            preview.problem = ui::capitalised(looks.problem);
            dialog_->setPreview(preview);
        });
}

void KernelImporter::add() {
    const Addition addition{onDevice(dialog_->offer(), dialog_->device()),
                            base(),
                            dialog_->profileName().toStdString(),
                            dialog_->shape(),
                            dialog_->kBits(),
                            {}};
    wanted_ = workbench_.state().asked.kernels;
    wanted_.shape = textOf(addition.shape);
    wanted_.kBits = addition.kBits;
    used_ = dialog_->useForSimulation();
    theirs_ = loadline::profileOf(addition.offer);
    added_ = std::make_shared<const Profile>(profileOf(addition));
    workbench_.kernels().add(added_);
}

/// It has been kept: shown, and simulated with, in one step.
void KernelImporter::finish(const QString& path) {
    WorkbenchState next = workbench_.state();
    wanted_.shown = path.toStdString();
    next.asked.kernels = wanted_;
    QString words = tr("Added %1.").arg(QString::fromStdString(added_->name));
    if (used_) {
        next.simulation.profile = wanted_.shown;
        words += ' ' + tr("Simulations take these times now.") + ' ' +
                 QString::fromStdString(shapesRemarkOf(next.simulation, theirs_));
    }
    workbench_.change(tr("Import kernels"), std::move(next));
    emit said(words.trimmed());
}

} // namespace loadline::app
