// The prefix breaks, those that cost most first; a row is chosen, a double click or Enter goes to one's
// place.
#pragma once

#include "ui/model/break_model.h"

#include <QTableView>

#include <memory>

namespace loadline::ui {

class BreakList : public QTableView {
    Q_OBJECT

public:
    explicit BreakList(QWidget* parent = nullptr);

    void setFigure(std::shared_ptr<const CacheFigure> figure);

    [[nodiscard]] const BreakModel& breakModel() const { return *model_; }

    [[nodiscard]] QSize minimumSizeHint() const override;

    void choose(const PrefixBreak* one); ///< of the figure; null: none

signals:
    void breakChosen(const loadline::PrefixBreak* one);    ///< the row the cursor is in; null: none
    void breakActivated(const loadline::PrefixBreak& one); ///< double click or Enter

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    BreakModel* model_ = nullptr;
};

} // namespace loadline::ui
