// Chooses a range of days: quick ranges from the data, or two calendars.
#pragma once

#include "core/base/time.h"

#include <QFrame>

#include <optional>

class QDateEdit;
class QLabel;

namespace loadline::ui {

/// Days are those of the clock shown. The range is [from, to): `to` is the midnight after the last day
/// chosen.
class DateRangePopup : public QFrame {
    Q_OBJECT

public:
    explicit DateRangePopup(QWidget* parent);

    /// The days there are, and the range in force; nullopt: open at that side.
    void setRange(TimeMs first, TimeMs last, std::optional<TimeMs> from, std::optional<TimeMs> to);

signals:
    void rangeChosen(std::optional<loadline::TimeMs> from, std::optional<loadline::TimeMs> to);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose();
    void chooseLastDays(int days);

    QDateEdit *from_, *to_;
    QLabel* extent_;
};

} // namespace loadline::ui
