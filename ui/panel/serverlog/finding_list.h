// The hypotheses on a server's log, each with its verdict and reason, and what to try next.
#pragma once

#include "ui/model/finding_model.h"

#include <QTableView>

#include <memory>

namespace loadline::ui {

class FindingList : public QTableView {
    Q_OBJECT

public:
    explicit FindingList(QWidget* parent = nullptr);

    /// The chosen row stays where the hypotheses are the same.
    void setVerdict(std::shared_ptr<const LogVerdict> verdict);

    [[nodiscard]] const FindingModel& findings() const { return *model_; }

    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// By the user: its lines are wanted.
    void findingChosen(const loadline::Finding& finding);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    FindingModel* model_ = nullptr;
    bool setting_ = false; ///< not by hand
};

} // namespace loadline::ui
