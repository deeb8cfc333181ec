// What an answer counts, in a few lines under its headline; all of it in a list behind them.
#pragma once

#include "core/simulate/answer/what_counts.h"

#include <QWidget>

#include <vector>

namespace loadline::ui {

/// As many lines as its width asks for, five where it is wide, more where narrow, two where the window is
/// low; always the same, whatever is said.
class FactStrip : public QWidget {
    Q_OBJECT

public:
    explicit FactStrip(QWidget* parent = nullptr);

    void setFacts(std::vector<CountedFact> facts);

    [[nodiscard]] const std::vector<CountedFact>& facts() const { return facts_; }

    /// Whether all that is said is shown, without the list.
    [[nodiscard]] bool isWhole() const;

    /// Opens the list.
    void openList();

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QString text() const;

    std::vector<CountedFact> facts_;
    int lines_ = 2;
};

} // namespace loadline::ui
