// The prompt turns of the session shown, those that used most first; choosing one jumps to it.
#pragma once

#include "ui/model/prompt_turn_model.h"

#include <QTableView>

namespace loadline::ui {

class PromptTurnList : public QTableView {
    Q_OBJECT

public:
    explicit PromptTurnList(QWidget* parent = nullptr);

    void setTurns(std::shared_ptr<const PromptTurnModel::Turns> turns);

    [[nodiscard]] const PromptTurnModel& turnModel() const { return *model_; }

signals:
    void turnActivated(const loadline::SessionPromptTurn& turn); ///< click or Enter

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    PromptTurnModel* model_ = nullptr;
};

} // namespace loadline::ui
