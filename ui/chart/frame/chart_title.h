// The short title over one of several charts, with the button that opens its menu.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QToolButton;

namespace loadline::ui {

class ChartTitle : public QWidget {
    Q_OBJECT

public:
    /// `chart`: what the title's label belongs to.
    ChartTitle(const QString& title, QWidget* chart, QWidget* parent = nullptr);

    /// Whether this is the chart that export and the table mean.
    void setChosen(bool chosen);

    [[nodiscard]] QToolButton* menuButton() const { return button_; }

signals:
    void menuRequested(const QPoint& global);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QString title_;
    QLabel* label_;
    QToolButton* button_;
};

} // namespace loadline::ui
