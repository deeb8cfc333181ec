// The computed sentences over a chart, in a place whose height no text changes.
#pragma once

#include "ui/chart/answer.h"

#include <QWidget>

class QLabel;

namespace loadline::ui {

/// What does not fit ends in an ellipsis; the whole text is the label's tip and accessible description.
class Heading : public QWidget {
    Q_OBJECT

public:
    explicit Heading(QWidget* parent = nullptr);

    void setAnswer(const Answer& answer);
    [[nodiscard]] const Answer& answer() const { return answer_; }

    /// How many lines the answer may take, and as many what qualifies it.
    void setLines(int lines);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();

    Answer answer_;
    int lines_ = 2;
    QLabel* first_ = nullptr;
    QLabel* rest_ = nullptr;
};

} // namespace loadline::ui
