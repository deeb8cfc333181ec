// The Server log page: whether a server is slow, and why; each claim with its lines beside it.
#pragma once

#include "app/job/figure_job.h"
#include "app/pages/frame/page_view.h"
#include "app/serverlog/log_shown.h"
#include "ui/chart/frame/chart_grid.h"

#include <QTimer>

#include <memory>
#include <string>

namespace loadline {
class LogFollower;

namespace ui {
class FigureTiles;
class FieldForm;
class FindingList;
class ProgressStrip;
class RawLogView;
class SideFold;

} // namespace ui
} // namespace loadline

class QAction;
class QCheckBox;
class QLabel;
class QSplitter;
class QToolButton;

namespace loadline::app {

class ServerLogPage : public PageView {
    Q_OBJECT

public:
    struct Commands {
        QAction* open = nullptr;
        QAction* exportVerdict = nullptr;
        QAction* copyVerdict = nullptr;
    };

    ServerLogPage(Workbench& workbench, const Commands& commands);
    ~ServerLogPage() override;

    void setTheme(ui::ThemeKind kind) override;
    [[nodiscard]] ChartRequest request() const override;
    [[nodiscard]] std::vector<ChartRequest> requests() const override;

    [[nodiscard]] bool dimsStale() const override { return !frame_->isEmpty(); }

    void zoomIn() override;
    void zoomOut() override;
    void fit() override;

    [[nodiscard]] QList<int> parts() const override; ///< the fold of the panel, charts and lists, the lists
    void setParts(const QList<int>& parts) override;

    [[nodiscard]] ui::ChartGrid* grid() const { return grid_; }

    [[nodiscard]] ui::FieldForm* panel() const { return panel_; }

    [[nodiscard]] ui::FindingList* findings() const { return findings_; }

    [[nodiscard]] ui::RawLogView* raw() const { return raw_; }

    [[nodiscard]] ui::FigureTiles* tiles() const { return tiles_; }

    [[nodiscard]] QCheckBox* followBox() const { return follow_; }

    [[nodiscard]] QCheckBox* onlyViewBox() const { return onlyView_; }

    [[nodiscard]] QToolButton* replayButton() const { return replay_; }

    /// The log that is shown; null: none yet.
    [[nodiscard]] const std::shared_ptr<const LogShown>& shown() const { return shown_; }

    /// Writes the verdict to a file, in a job.
    void saveVerdictTo(const QString& path);

private:
    void buildControls();
    void buildParts();
    void showState(const WorkbenchState& state);
    void show(const std::shared_ptr<const LogRead>& read);
    void showEmpty();
    void mendEmpty();
    void showUnknown();
    void forget();
    void judge(const std::shared_ptr<const ServerLog>& log);
    void take(const std::shared_ptr<const LogShown>& shown);
    void redraw();
    void showChosen();
    [[nodiscard]] std::string followedWords() const;
    void showTiles();
    void showFound();
    void showForm(const QString& model, const QString& device);
    void enableCommands();
    void followProgress();
    void unfollow();
    void keepFollowing();
    void poll();
    void lookAt(const LogLine& line);
    void chooseItem(int chart, int item);
    void chooseFinding(const Finding& finding);
    void readLines(const LogLine& first);
    void setStretch(const ui::PlotChange::Stretch& stretch, const QString& what);
    void zoomBy(double factor);
    void replay();
    void askToSaveVerdict();
    void copyVerdict();
    [[nodiscard]] std::vector<std::string> files() const;

    Commands commands_;
    ui::ChartGrid* grid_ = nullptr;
    ui::FieldForm* panel_ = nullptr;
    QLabel* ceiling_ = nullptr; ///< that follows from what serves
    ui::SideFold* side_ = nullptr;
    ui::FigureTiles* tiles_ = nullptr;
    ui::FindingList* findings_ = nullptr;
    ui::RawLogView* raw_ = nullptr;
    QSplitter *split_ = nullptr, *lower_ = nullptr;
    QCheckBox *follow_ = nullptr, *onlyView_ = nullptr;
    QToolButton* replay_ = nullptr;
    QToolButton* verdict_ = nullptr;
    ui::ProgressStrip* progress_ = nullptr;
    std::shared_ptr<const PageProgress> following_;
    QTimer progressTimer_, pollTimer_;
    std::shared_ptr<LogFollower> follower_;
    std::string now_;           ///< followedWords() as shown
    std::string followProblem_; ///< why the file was not read when it was last polled; "": it was
    FigureJob<LogQuestion, LogShown> judging_;
    LatestJob reading_, writing_;
    LatestJob polling_{1};
    std::shared_ptr<const LogRead> read_;
    std::shared_ptr<const ServerLog> log_; ///< read, or followed since
    std::shared_ptr<const LogShown> shown_;
    LogLine chosen_;
    QList<int> sizes_; ///< of the parts, as the hand has them; empty: as they come
};

} // namespace loadline::app
