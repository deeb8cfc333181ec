// One point of a profile: its samples, clocks and flags.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/bench_event.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace loadline::ui {

/// A point of a profile, with its context.
struct PointShown {
    ProfilePoint point;
    QString profile;   ///< name
    QString elsewhere; ///< who measured it; empty: this machine
    double boundUs = 0;
    bool byArithmetic = false;
    QString boundSource;
    std::vector<BenchSample> samples; ///< of a run in this window; empty: only their summary was kept
    int dropped = 0;
    QString origin; ///< in words (originWords); empty: of the point alone
    KernelNaming naming = KernelNaming::Role;
    QString code;          ///< of the kernel (codeNameOf); empty: not known
    double partsUs = 0;    ///< of a pair: its parts, taken apart, together; 0: not known
    QString modelled = {}; ///< what a modelled time is made of; empty: it was timed
};

/// Returns the meaning of a flag ("throttled": ...); the flag itself if it is not known.
QString flagText(const std::string& flag);

class SampleStrip;

class PointPanel : public QWidget {
    Q_OBJECT

public:
    explicit PointPanel(QWidget* parent = nullptr);

    void setPoint(const std::optional<PointShown>& point);

    [[nodiscard]] const std::optional<PointShown>& point() const { return point_; }

    /// All words shown, for tests and for the clipboard.
    [[nodiscard]] QString text() const;

signals:
    void closeRequested();

private:
    std::optional<PointShown> point_;
    QLabel* title_ = nullptr;
    SampleStrip* strip_ = nullptr;
    QLabel* facts_ = nullptr;
    QToolButton* close_ = nullptr;
};

} // namespace loadline::ui
