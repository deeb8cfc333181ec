// Headline numbers in a row: large value, small label, a swatch where the number has a colour.
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

namespace loadline::ui {

struct FigureTile {
    QString value; ///< "1.2 M"
    QString label; ///< "cache read"
    QString exact; ///< tool tip: the exact number and what it means
    QColor colour; ///< invalid: no swatch
    bool operator==(const FigureTile&) const = default;
};

class FigureTiles : public QWidget {
    Q_OBJECT

public:
    explicit FigureTiles(QWidget* parent = nullptr);

    void setTiles(std::vector<FigureTile> tiles);

    [[nodiscard]] const std::vector<FigureTile>& tiles() const { return tiles_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRect tileRect(int index) const;

    std::vector<FigureTile> tiles_;
};

} // namespace loadline::ui
