// The Kernels page: devices and profiles, measuring, curves over M, one point in detail.
#pragma once

#include "app/kernels/kernel_bench.h"
#include "app/pages/frame/page_view.h"
#include "ui/chart/frame/chart_grid.h"
#include "ui/chart/kernels/kernel_drawings.h"
#include "ui/panel/kernels/bench_panel.h"
#include "ui/panel/kernels/point_panel.h"
#include "ui/panel/kernels/profile_list.h"

#include <optional>

class QAction;
class QComboBox;
class QLabel;
class QPushButton;

namespace loadline::ui {
class Segments;
}

namespace loadline::app {

class KernelsPage : public PageView {
    Q_OBJECT

public:
    /// The window's commands that this page carries out.
    struct Commands {
        QAction* measure = nullptr;
        QAction* import = nullptr;
        QAction* open = nullptr;
        QAction* save = nullptr;
        QAction* use = nullptr;
    };

    KernelsPage(Workbench& workbench, const Commands& commands);

    void setTheme(ui::ThemeKind kind) override;
    [[nodiscard]] ChartRequest request() const override;
    [[nodiscard]] std::vector<ChartRequest> requests() const override;

    [[nodiscard]] ui::ProfileList* list() const { return list_; }

    [[nodiscard]] ui::BenchPanel* measuring() const { return bench_; }

    [[nodiscard]] ui::PointPanel* pointPanel() const { return point_; }

    [[nodiscard]] ui::ChartGrid* grid() const { return grid_; }

    [[nodiscard]] QString note() const;

    /// Shows a profile file; what menu and dialog do.
    void openProfile(const QString& path);
    /// Writes the shown profile to a file.
    void saveProfileTo(const QString& path);
    /// Simulations take the shown profile.
    void useForSimulation();
    /// Moves the chosen profile to the trash, if it is one of those measured here.
    void removeChosen();
    void measure();

    // With a dialog, or as the button would.
    void measureOrCancel();
    void askToOpen();
    void askToSave();

private:
    [[nodiscard]] QWidget* makeSide();
    void makeControls();
    void connectAll();
    void change(const QString& what, const KernelsQuestion& next);
    void showState(const WorkbenchState& state);
    void showLists();
    void showRun();
    void show(const ShownKernels& shown);
    void showNothing(const KernelsShown& shown);
    void showDrawings();
    void showPoint();
    void showChoices();
    void showUse();
    void say();
    void mend();
    void pick(ui::KernelChart chart, int item);
    [[nodiscard]] KernelsQuestion view() const;
    [[nodiscard]] const BenchDevice* deviceOf(const std::string& key) const;

    KernelBench& kernels_;
    Commands commands_;
    ui::ChartGrid* grid_ = nullptr;
    ui::ProfileList* list_ = nullptr;
    ui::BenchPanel* bench_ = nullptr;
    ui::PointPanel* point_ = nullptr;
    QComboBox* shape_ = nullptr;
    ui::Segments* kBits_ = nullptr;
    QComboBox* compared_ = nullptr;
    QPushButton* use_ = nullptr;
    QLabel* note_ = nullptr;
    ShownKernels shown_;
    std::optional<ui::KernelPick> picked_;
    QString flash_; ///< what was just done
};

} // namespace loadline::app
