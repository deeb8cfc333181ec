// The prompt turns of the session shown, those that used most first; a double click or Enter jumps to one.
#pragma once

#include "ui/model/prompt_turn_model.h"

#include <QTableView>

#include <vector>

namespace loadline::ui {

class PromptTurnList : public QTableView {
    Q_OBJECT

public:
    explicit PromptTurnList(QWidget* parent = nullptr);

    void setTurns(std::shared_ptr<const PromptTurnModel::Turns> turns);

    /// Selects the turns that began at these moments.
    void setChosen(const std::vector<TimeMs>& starts);

    [[nodiscard]] const PromptTurnModel& turnModel() const { return *model_; }

signals:
    void turnActivated(const loadline::SessionPromptTurn& turn);   ///< double click or Enter
    void turnsChosen(const std::vector<loadline::TimeMs>& starts); ///< by hand, ascending
    void narrowed(bool narrow); ///< the last columns are left out, or shown again

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] std::vector<TimeMs> chosen() const;

    PromptTurnModel* model_ = nullptr;
    bool choosing_ = false; ///< not by hand
    bool narrow_ = false;   ///< the last columns are left out
};

} // namespace loadline::ui
