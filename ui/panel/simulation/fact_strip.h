// A strip of what an answer counts, a line under its headline; the list behind it has all facts.
#pragma once

#include "core/simulate/answer/what_counts.h"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace loadline::ui {

/// One line. Facts that it has no room for are counted at its end ("+5 more"). Facts that warn are caveats of
/// the page (caveatsOf).
class FactStrip : public QWidget {
    Q_OBJECT

public:
    explicit FactStrip(QWidget* parent = nullptr);

    void setFacts(std::vector<CountedFact> facts);

    [[nodiscard]] const std::vector<CountedFact>& facts() const { return facts_; }

    /// Whether each fact that is shown is shown whole, and the others are counted.
    [[nodiscard]] bool isWhole() const;

    /// How many facts are shown; the others are in the list.
    [[nodiscard]] std::size_t shownCount() const;

    /// Opens the list.
    void openList();

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Words of the first `count` facts, then how many more there are.
    [[nodiscard]] QString text(std::size_t count) const;
    [[nodiscard]] bool fits(const QString& text) const;

    std::vector<CountedFact> facts_;
};

} // namespace loadline::ui
