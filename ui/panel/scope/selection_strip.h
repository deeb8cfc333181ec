// The sum of the selection in one line at a fixed place: calls, tokens by kind, hit rate, where the time
// went.
#pragma once

#include "core/workload/timeline/selection_sum.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace loadline::ui {

/// One figure of the strip.
struct SelectionFigure {
    QString label; ///< "cache read"
    QString value; ///< "1.2 M"
    QString exact; ///< the exact number
    bool operator==(const SelectionFigure&) const = default;
};

/// In reading order; the strip drops them from the end where it is too narrow.
std::vector<SelectionFigure> figuresOf(const SelectionSum& sum);

class SelectionStrip : public QWidget {
    Q_OBJECT

public:
    explicit SelectionStrip(QWidget* parent = nullptr);

    /// `what` is selected: "8 of 212 sessions, model opus-4-5".
    void setSum(const QString& what, const SelectionSum& sum);
    void clear();

    [[nodiscard]] const QString& what() const { return what_; }

    [[nodiscard]] const std::vector<SelectionFigure>& figures() const { return figures_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString what_;
    std::vector<SelectionFigure> figures_;
};

} // namespace loadline::ui
