// The headline over a chart, on a line whose height no text changes.
#pragma once

#include "ui/chart/answer.h"

#include <QWidget>

class QLabel;

namespace loadline::ui {

/// Shows Answer::first on a line, or on two or three where there is little width, in the largest letters in
/// which it fits; what does not fit ends in an ellipsis. The whole answer is the accessible description, and
/// the tip where it is cut.
class Heading : public QWidget {
    Q_OBJECT

public:
    explicit Heading(QWidget* parent = nullptr);

    void setAnswer(const Answer& answer);
    [[nodiscard]] const Answer& answer() const { return answer_; }

    /// True if the headline is not cut.
    [[nodiscard]] bool isWhole() const { return whole_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] int lines() const;
    void place();

    Answer answer_;
    bool whole_ = true;
    QLabel* label_ = nullptr;
};

} // namespace loadline::ui
