// The Distributions page's chart: two histograms that can be read, walked and brushed.
#pragma once

#include "core/workload/distribution/distribution_figure.h"
#include "core/workload/scope/scope.h"
#include "ui/theme/theme.h"

#include <QColor>
#include <QWidget>

#include <memory>
#include <optional>

class QBoxLayout;

namespace loadline::ui {

class DistributionPlotView;

/// Input and output per turn, side by side or, when narrow, one above the other. A click selects a bin, a
/// drag or ctrl-click a range, Esc clears; arrow keys walk the bins, Enter selects, shift extends.
/// The brush is only announced and outlined here: its effect comes back with the next figure (countHit).
class DistributionChart : public QWidget {
    Q_OBJECT
public:
    explicit DistributionChart(QWidget* parent = nullptr);
    ~DistributionChart() override;

    /// Null shows empty plots.
    void setFigure(const std::shared_ptr<const DistributionFigure>& figure);
    void setTheme(ThemeKind kind);
    /// Shows a brush that was set elsewhere (undo, a removed filter); announces nothing.
    void setBrush(std::optional<TokenRange> input, std::optional<TokenRange> output);

    [[nodiscard]] std::optional<TokenRange> inputBrush() const;
    [[nodiscard]] std::optional<TokenRange> outputBrush() const;
    [[nodiscard]] DistributionPlotView* inputView() const { return input_; }
    [[nodiscard]] DistributionPlotView* outputView() const { return output_; }

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void binsBrushed(std::optional<loadline::TokenRange> input, std::optional<loadline::TokenRange> output);
    /// The bin under the cursor or the keyboard in exact words; "" when it leaves.
    void binHovered(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void announce();

    DistributionPlotView* input_ = nullptr;
    DistributionPlotView* output_ = nullptr;
    QBoxLayout* layout_ = nullptr;
    QColor ground_;
};

} // namespace loadline::ui
