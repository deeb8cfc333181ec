// The Kernels page.
#include "app/pages/kernels/kernels_page.h"

#include "app/chart/kernels_chart.h"
#include "app/kernels/use_profile.h"
#include "app/page/page_picture.h"
#include "app/page/page_spec.h"
#include "ui/panel/part/segments.h"
#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace loadline::app {
namespace {

constexpr int sideWidth = 31 * ui::spacing;
constexpr int pointWidth = 30 * ui::spacing;
constexpr int leadHeight = 37 * ui::spacing; ///< of the chart of times: 200 px beside its legend and axes

const ChartSpecs& shownCharts() {
    return specOf(Page::Kernels).charts;
}

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

QComboBox* quietBox(const QString& name, const QString& toolTip) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    ui::setTip(box, toolTip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return box;
}

} // namespace

KernelsPage::KernelsPage(Workbench& bench, const Commands& commands)
    : PageView(bench), kernels_(bench.kernels()), commands_(commands),
      grid_(new ui::ChartGrid(
          {shownCharts()[0]->title(), shownCharts()[1]->title(), shownCharts()[2]->title()})),
      point_(new ui::PointPanel), note_(new QLabel) {
    install(grid_, Page::Kernels);
    grid_->setLead(3, 2);
    grid_->view(0)->setMinimumHeight(leadHeight);
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
    auto* remove = new QAction(tr("Move this profile to the trash"), list_);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    connect(remove, &QAction::triggered, this, &KernelsPage::removeChosen);
    list_->addAction(remove);
    list_->setContextMenuPolicy(Qt::ActionsContextMenu);
    bench_ = new ui::BenchPanel;
    column->addWidget(list_, 1);
    column->addWidget(bench_);
    auto* buttons = new QWidget;
    const auto button = [](QAction* command, const QString& words) {
        auto* made = new QPushButton(words);
        ui::setTip(made, command->toolTip());
        made->setAccessibleName(command->objectName());
        connect(made, &QPushButton::clicked, command, &QAction::trigger);
        return made;
    };
    ui::columnOf(
        {button(commands_.import, tr("Import kernels\u2026")),
         ui::rowOf({button(commands_.open, tr("Open\u2026")), button(commands_.save, tr("Save as\u2026"))},
                   ui::spacing)},
        ui::spacing, buttons, {ui::spacing, 0, ui::spacing, ui::spacing});
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
    use_->setObjectName("use");
    compared_->setObjectName("compared");
    note_->setProperty("role", "muted");
    note_->setWordWrap(true);
    note_->setMinimumHeight(note_->fontMetrics().height() + ui::spacing); // the charts keep their place
    addControls(
        {labelled(tr("shape"), shape_), labelled(tr("k"), kBits_), labelled(tr("beside"), compared_), use_});
}

void KernelsPage::connectAll() {
    connect(list_, &ui::ProfileList::chosen, this, [this](const QString& key) {
        KernelsQuestion next = view();
        next.shown = key.toStdString();
        change(tr("Choose a profile"), next);
    });
    connect(bench_, &ui::BenchPanel::choiceChanged, this, [this](const BenchRequest& choice) {
        KernelsQuestion next = view();
        next.bench = choice;
        change(tr("Choose what to measure"), next);
    });
    connect(bench_, &ui::BenchPanel::runRequested, this, &KernelsPage::measure);
    connect(bench_, &ui::BenchPanel::cancelRequested, &kernels_, &KernelBench::cancel);
    connect(shape_, &QComboBox::activated, this, [this](int index) {
        KernelsQuestion next = view();
        next.shape = shape_->itemData(index).toString().toStdString();
        change(tr("Choose a shape"), next);
    });
    connect(kBits_, &ui::Segments::chosen, this, [this](int index) {
        KernelsQuestion next = view();
        next.kBits = minKBits + index;
        change(tr("Choose k"), next);
    });
    connect(compared_, &QComboBox::activated, this, [this](int index) {
        KernelsQuestion next = view();
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

KernelsQuestion KernelsPage::view() const {
    return workbench().state().asked.kernels;
}

const BenchDevice* KernelsPage::deviceOf(const std::string& key) const {
    for (const BenchDevice& device : kernels_.devices()) {
        if (key == std::string(devicePrefix) + device.key) {
            return &device;
        }
    }
    return nullptr;
}

void KernelsPage::change(const QString& what, const KernelsQuestion& next) {
    flash_.clear();
    workbench().setKernels(next, what);
}

void KernelsPage::measure() {
    const BenchDevice* const device = deviceOf(view().shown);
    if (device != nullptr && device->unavailable.empty() && !view().bench.kBits.empty()) {
        flash_.clear();
        KernelsQuestion next = view();
        if (std::ranges::find(next.bench.kBits, next.kBits) == next.bench.kBits.end()) {
            next.kBits = next.bench.kBits.front(); // else nothing of what is timed would be drawn
            change(tr("Measure kernels"), next);
        }
        kernels_.measure(device->key, next.bench);
    }
}

void KernelsPage::measureOrCancel() {
    if (kernels_.isMeasuring()) {
        kernels_.cancel();
    } else {
        measure();
    }
}

void KernelsPage::removeChosen() {
    const std::string path = view().shown;
    const auto& saved = kernels_.saved();
    if (std::ranges::find(saved, path, &SavedProfile::path) == saved.end()) {
        flash_ = tr("Only profiles measured here can be removed.");
        say();
        return;
    }
    KernelsQuestion next = view();
    next.shown = KernelsQuestion{}.shown;
    change(tr("Remove a profile"), next);
    kernels_.remove(path);
    flash_ = tr("Moved to the trash.");
    say();
}

void KernelsPage::mend() {
    const BenchDevice* const device = deviceOf(view().shown);
    if (device != nullptr && device->unavailable.empty()) {
        measure();
        return;
    }
    KernelsQuestion next = view();
    next.shown = KernelsQuestion{}.shown;
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

void KernelsPage::useForSimulation() {
    const std::string name = kernels_.profileNameOf(view().shown);
    const std::shared_ptr<const Profile> profile = kernels_.profileOf(view().shown);
    if (name.empty() || !profile) {
        return;
    }
    SimulationRequest next = workbench().state().simulation;
    next.profile = name;
    workbench().setSimulation(next, tr("Use these kernel times"));
    flash_ = tr("Simulations take these times now.");
    if (const std::string remark = shapesRemarkOf(next, *profile); !remark.empty()) {
        flash_ += ' ' + text(remark);
    }
    showUse();
    say();
}

QString KernelsPage::note() const {
    return note_->text();
}

void KernelsPage::openProfile(const QString& path) {
    if (path.isEmpty()) {
        return;
    }
    KernelsQuestion next = view();
    next.shown = QFileInfo(path).absoluteFilePath().toStdString();
    kernels_.forget(next.shown); // an author of kernels times them again and again
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
    PageView::setTheme(kind);
}

std::vector<ChartRequest> KernelsPage::requests() const {
    return chartsOf(Page::Kernels, request());
}

ChartRequest KernelsPage::request() const {
    ChartRequest request;
    request.chart = shownCharts()[static_cast<std::size_t>(grid_->chosen())];
    /// A saved profile by its name; the points of a run under way as they are.
    const auto named = [&](const std::string& key, const std::shared_ptr<const Profile>& drawn) {
        std::string name = key.empty() ? "" : kernels_.profileNameOf(key);
        if (name.empty() && drawn && !drawn->points.empty()) {
            request.unsaved[key] = drawn;
            name = key;
        }
        return name;
    };
    request.simulation.profile = named(view().shown, shown_ ? shown_->profile : nullptr);
    request.simulation.weights = storageOfBits(view().kBits);
    request.asked.kernels.compared = named(view().compared, shown_ ? shown_->compared : nullptr);
    if (shown_ && shown_->figure) {
        request.asked.kernels.shape = textOf(shown_->figure->inputs.shape);
    }
    return request;
}

} // namespace loadline::app
