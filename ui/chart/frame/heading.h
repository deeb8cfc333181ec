// The computed sentences over a chart, in a place whose height no text changes.
#pragma once

#include "ui/chart/answer.h"

#include <QWidget>

class QLabel;

namespace loadline::ui {

/// The answer takes what lines it needs, what qualifies it those that are left, in the largest letters in
/// which both fit. What does not fit ends in an ellipsis; the whole text is the label's tip and accessible
/// description.
class Heading : public QWidget {
    Q_OBJECT

public:
    explicit Heading(QWidget* parent = nullptr);

    void setAnswer(const Answer& answer);
    [[nodiscard]] const Answer& answer() const { return answer_; }

    /// The height is that of so many lines of the answer and as many of what qualifies it.
    void setLines(int lines);

    /// Whether all of both is shown.
    [[nodiscard]] bool isWhole() const { return whole_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();
    [[nodiscard]] bool placedWhole(double size);

    Answer answer_;
    int lines_ = 2;
    bool whole_ = true;
    QLabel* first_ = nullptr;
    QLabel* rest_ = nullptr;
};

} // namespace loadline::ui
