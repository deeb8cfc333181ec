// Settings and progress of a measurement: shapes, k, preset, Run, progress, time left, Cancel.
#pragma once

#include "core/cost/study/kernels_question.h"

#include <QString>
#include <QWidget>

#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace loadline::ui {

class Segments;

inline constexpr const char* benchPresets[] = {"quick", "standard", "thorough"};

/// How far a run is.
struct BenchState {
    bool running = false;
    bool cancelling = false;
    QString device; ///< that is being measured
    QString doing;
    quint64 done = 0;
    quint64 total = 0;       ///< 0: not known yet
    double secondsLeft = -1; ///< below 0: not known
};

class BenchPanel : public QWidget {
    Q_OBJECT

public:
    explicit BenchPanel(QWidget* parent = nullptr);

    [[nodiscard]] const BenchRequest& choice() const { return choice_; }

    void setChoice(const BenchRequest& choice); ///< emits nothing
    /// The device that Run would measure; `whyNot`: why it cannot, empty where it can.
    void setDevice(const QString& name, const QString& whyNot);
    void setState(const BenchState& state);

    [[nodiscard]] QPushButton* runButton() const { return run_; }

    [[nodiscard]] QProgressBar* progress() const { return progress_; }

signals:
    void choiceChanged(const loadline::BenchRequest& choice); ///< by the user
    void runRequested();
    void cancelRequested();

private:
    void take();
    void showState();

    BenchRequest choice_;
    BenchState state_;
    QString device_, whyNot_;
    QComboBox* shapes_ = nullptr;
    std::vector<QCheckBox*> kBits_;
    Segments* preset_ = nullptr;
    QLineEdit* name_ = nullptr;
    QPushButton* run_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QLabel* doing_ = nullptr;
};

/// "about 40 s left", "about 3 min left"
QString leftText(double seconds);

} // namespace loadline::ui
