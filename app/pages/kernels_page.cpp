// The Kernels page.
#include "app/pages/kernels_page.h"

#include "app/kernels_list.h"
#include "app/use_profile.h"
#include "ui/panel/flow_layout.h"
#include "ui/panel/segments.h"
#include "ui/panel/themed.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <utility>

namespace loadline::app {
namespace {

constexpr int sideWidth = 31 * ui::spacing;
constexpr int pointWidth = 30 * ui::spacing;

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

QComboBox* quietBox(const QString& name, const QString& toolTip) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setToolTip(toolTip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return box;
}

} // namespace

KernelsPage::KernelsPage(Workbench& bench, const Commands& commands)
    : PageView(bench), kernels_(bench.kernels()), commands_(commands),
      grid_(new ui::ChartGrid({titleOf(ui::KernelChart::Times), titleOf(ui::KernelChart::Ceiling)})),
      frame_(new ui::ChartFrame(grid_)), point_(new ui::PointPanel), note_(new QLabel) {
    install(*frame_, Page::Kernels);
    disconnect(frame_, &ui::ChartFrame::emptyActionRequested, &bench, nullptr); // the scope is not to blame
    makeControls();
    point_->setFixedWidth(pointWidth);
    point_->hide();
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(makeSide());
    auto* middle = new QVBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(frame_, 1);
    note_->setContentsMargins(2 * ui::spacing, 0, 2 * ui::spacing, ui::spacing);
    middle->addWidget(note_);
    row->addLayout(middle, 1);
    row->addWidget(point_);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connectAll();
    showLists();
    showRun();
    showState(bench.state());
    if (kernels_.shown()) {
        show(kernels_.shown());
    } else {
        frame_->setEmpty(tr("Looking for devices and profiles\u2026"));
    }
}

QWidget* KernelsPage::makeSide() {
    auto* side = new QWidget;
    side->setFixedWidth(sideWidth);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    list_ = new ui::ProfileList;
    bench_ = new ui::BenchPanel;
    column->addWidget(list_, 1);
    column->addWidget(bench_);
    auto* buttons = new QWidget;
    auto* flow = new QHBoxLayout(buttons);
    flow->setContentsMargins(ui::spacing, 0, ui::spacing, ui::spacing);
    flow->setSpacing(ui::spacing);
    for (QAction* command : {commands_.open, commands_.save}) {
        auto* button = new QPushButton(command == commands_.open ? tr("Open\u2026") : tr("Save as\u2026"));
        button->setToolTip(command->toolTip());
        button->setAccessibleName(command->objectName());
        connect(button, &QPushButton::clicked, command, &QAction::trigger);
        flow->addWidget(button);
    }
    column->addWidget(buttons);
    return side;
}

void KernelsPage::makeControls() {
    shape_ = quietBox(tr("Shape"), tr("Inputs x outputs of the weight, and active experts"));
    kBits_ = new ui::Segments(tr("k"), {{"2", tr("Weights of 2 bits")},
                                        {"3", tr("Weights of 3 bits")},
                                        {"4", tr("Weights of 4 bits")},
                                        {"5", tr("Weights of 5 bits")}});
    compared_ = quietBox(tr("Compare with"), tr("Draws another profile beside this one, paler"));
    compared_->setMaximumWidth(22 * ui::spacing);
    use_ = new QPushButton;
    note_->setProperty("role", "muted");
    note_->setWordWrap(true);
    addControls(*frame_, {labelled(tr("shape"), shape_), labelled(tr("k"), kBits_),
                          labelled(tr("beside"), compared_), use_});
}

void KernelsPage::connectAll() {
    connect(list_, &ui::ProfileList::chosen, this, [this](const QString& key) {
        KernelsView next = view();
        next.shown = key.toStdString();
        change(tr("Choose a profile"), next);
    });
    connect(bench_, &ui::BenchPanel::choiceChanged, this, [this](const ui::BenchChoice& choice) {
        KernelsView next = view();
        next.bench = choice;
        change(tr("Choose what to measure"), next);
    });
    connect(bench_, &ui::BenchPanel::runRequested, this, &KernelsPage::measure);
    connect(bench_, &ui::BenchPanel::cancelRequested, &kernels_, &KernelBench::cancel);
    connect(shape_, &QComboBox::activated, this, [this](int index) {
        KernelsView next = view();
        next.shape = shape_->itemData(index).toString().toStdString();
        change(tr("Choose a shape"), next);
    });
    connect(kBits_, &ui::Segments::chosen, this, [this](int index) {
        KernelsView next = view();
        next.kBits = minKBits + index;
        change(tr("Choose k"), next);
    });
    connect(compared_, &QComboBox::activated, this, [this](int index) {
        KernelsView next = view();
        next.compared = compared_->itemData(index).toString().toStdString();
        change(tr("Compare profiles"), next);
    });
    connect(use_, &QPushButton::clicked, this, [this] {
        if (workbench().state().simulation.profile == kernels_.profileNameOf(view().shown)) {
            workbench().showPage(Page::Crossover);
        } else {
            useForSimulation();
        }
    });
    for (int i = 0; i < grid_->count(); ++i) {
        const auto chart = ui::kernelCharts[static_cast<std::size_t>(i)];
        connect(grid_->view(i), &ui::PlotView::itemPicked, this,
                [this, chart](int item) { pick(chart, item); });
    }
    connect(grid_, &ui::ChartGrid::hovered, this, &PageView::hovered);
    connect(grid_, &ui::ChartGrid::chosenChanged, this, [this] {
        if (shown_ && shown_->figure) {
            frame_->setDrawing(grid_->view(grid_->chosen())->drawing());
        }
    });
    connect(point_, &ui::PointPanel::closeRequested, this, [this] { pick(ui::KernelChart::Times, -1); });
    connect(frame_, &ui::ChartFrame::emptyActionRequested, this, &KernelsPage::mend);
    connect(&kernels_, &KernelBench::listsChanged, this, &KernelsPage::showLists);
    connect(&kernels_, &KernelBench::runChanged, this, &KernelsPage::showRun);
    connect(&kernels_, &KernelBench::runEnded, this, [this] {
        flash_.clear();
        showRun();
        showUse();
        say();
    });
    connect(&kernels_, &KernelBench::savedAs, this, [this](const QString& path) {
        flash_ = tr("Saved %1.").arg(QDir::toNativeSeparators(path));
        say();
    });
    connect(&kernels_, &KernelBench::shownChanged, this, &KernelsPage::show);
    connect(&workbench(), &Workbench::stateChanged, this, &KernelsPage::showState);
}

const KernelsView& KernelsPage::view() const {
    return workbench().state().kernels;
}

const BenchDevice* KernelsPage::deviceOf(const std::string& key) const {
    for (const BenchDevice& device : kernels_.devices()) {
        if (key == std::string(devicePrefix) + device.key) {
            return &device;
        }
    }
    return nullptr;
}

void KernelsPage::change(const QString& what, KernelsView next) {
    flash_.clear();
    workbench().setKernels(next, what);
}

void KernelsPage::measure() {
    const BenchDevice* const device = deviceOf(view().shown);
    if (device != nullptr && device->unavailable.empty() && !view().bench.kBits.empty()) {
        flash_.clear();
        kernels_.measure(device->key, view().bench);
    }
}

void KernelsPage::measureOrCancel() {
    if (kernels_.isMeasuring()) {
        kernels_.cancel();
    } else {
        measure();
    }
}

void KernelsPage::showState(const WorkbenchState& state) {
    list_->setCurrent(text(state.kernels.shown));
    bench_->setChoice(state.kernels.bench);
    kBits_->setCurrent(state.kernels.kBits - minKBits);
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
    const QSignalBlocker quietShape(shape_);
    const QSignalBlocker quietCompared(compared_);
    if (shown_ && shown_->figure) {
        shape_->clear();
        for (const TimedShape& shape : timedShapes(*shown_->profile)) {
            QString name = text(textOf(shape.size)).replace('x', " x ");
            if (shape.experts > 1) {
                name += tr(", %1 experts").arg(shape.experts);
            }
            shape_->addItem(name, text(textOf(shape)));
        }
        shape_->setCurrentIndex(shape_->findData(text(textOf(shown_->figure->inputs.shape))));
    }
    compared_->clear();
    compared_->addItem(tr("nothing"), QString());
    for (const ui::ProfileEntry& entry : list_->profiles().entries()) {
        const bool there = kernels_.profileOf(entry.key.toStdString()) != nullptr;
        if (!entry.key.isEmpty() && entry.key != text(view().shown) && there) {
            compared_->addItem(
                isDevice(entry.key.toStdString()) ? tr("%1, newest").arg(entry.name) : entry.name, entry.key);
            compared_->setItemData(compared_->count() - 1, entry.toolTip, Qt::ToolTipRole);
        }
    }
    compared_->setCurrentIndex(std::max(0, compared_->findData(text(view().compared))));
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

/// What is missing, and the one button that mends it.
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

void KernelsPage::mend() {
    const BenchDevice* const device = deviceOf(view().shown);
    if (device != nullptr && device->unavailable.empty()) {
        measure();
        return;
    }
    KernelsView next = view();
    next.shown = KernelsView{}.shown;
    next.compared.clear();
    change(tr("Show the published timings"), next);
}

void KernelsPage::pick(ui::KernelChart chart, int item) {
    if (!shown_ || !shown_->figure) {
        return;
    }
    picked_ = ui::pickOf(chart, *shown_->figure, item);
    showDrawings();
    showPoint();
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
                                         0};
                details->elsewhere = text(point.source.empty() ? profile.source : point.source);
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

void KernelsPage::useForSimulation() {
    const std::string name = kernels_.profileNameOf(view().shown);
    const std::shared_ptr<const Profile> profile = kernels_.profileOf(view().shown);
    if (name.empty() || !profile) {
        return;
    }
    const UsedProfile used = withProfile(workbench().state().simulation, name, *profile);
    workbench().setSimulation(used.request, tr("Use these kernel times"));
    flash_ = tr("Simulations take these times now.");
    if (!used.followed.empty()) {
        QStringList followed;
        for (const std::string& words : used.followed) {
            followed << text(words);
        }
        flash_ += tr(" To fit, they also use %1.").arg(followed.join(", "));
    }
    showUse();
    say();
}

void KernelsPage::showUse() {
    const std::string name = kernels_.profileNameOf(view().shown);
    const bool there = !name.empty() && kernels_.profileOf(view().shown);
    const bool used = there && workbench().state().simulation.profile == name;
    use_->setText(used ? tr("See the crossover") : tr("Use for the simulation"));
    use_->setToolTip(used ? tr("Simulations take these kernel times; the Crossover page shows what follows")
                     : there ? commands_.use->toolTip()
                             : tr("There is no profile to use yet: measure, or wait for the end of the run"));
    use_->setEnabled(there);
    commands_.use->setEnabled(there && !used);
    commands_.save->setEnabled(kernels_.profileOf(view().shown) != nullptr);
}

/// What was just done, else how the last run of the shown device ended.
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
    note_->setText(words);
    note_->setVisible(!words.isEmpty());
}

QString KernelsPage::note() const {
    return note_->text();
}

void KernelsPage::openProfile(const QString& path) {
    if (path.isEmpty()) {
        return;
    }
    KernelsView next = view();
    next.shown = QFileInfo(path).absoluteFilePath().toStdString();
    change(tr("Open a profile"), next);
    workbench().showPage(Page::Kernels);
}

void KernelsPage::saveProfileTo(const QString& path) {
    if (!path.isEmpty()) {
        kernels_.saveAs(view().shown, path);
    }
}

void KernelsPage::askToOpen() {
    openProfile(QFileDialog::getOpenFileName(this, tr("Open kernel times"), QString(),
                                             tr("Profiles, CSV, NVBench (*.json *.csv);;All files (*)")));
}

void KernelsPage::askToSave() {
    if (!kernels_.profileOf(view().shown)) {
        return;
    }
    const QString name = QFileInfo(text(kernels_.profileNameOf(view().shown))).completeBaseName();
    saveProfileTo(QFileDialog::getSaveFileName(
        this, tr("Save the profile"), QDir::home().filePath((name.isEmpty() ? "profile" : name) + ".json"),
        tr("Profile (*.json)")));
}

void KernelsPage::setTheme(ui::ThemeKind kind) {
    grid_->setTheme(kind);
    frame_->setTheme(kind);
}

ui::ChartFrame* KernelsPage::frame() const {
    return frame_;
}

ChartRequest KernelsPage::request() const {
    ChartRequest request;
    request.kind = grid_->chosen() == 0 ? ChartKind::Kernels : ChartKind::KernelsCeiling;
    request.simulation.profile = kernels_.profileNameOf(view().shown);
    request.simulation.kBits = view().kBits;
    request.comparedProfile = view().compared.empty() ? "" : kernels_.profileNameOf(view().compared);
    if (shown_ && shown_->figure) {
        request.timedShape = textOf(shown_->figure->inputs.shape);
    }
    return request;
}

} // namespace loadline::app
