// One active part of the scope: says what it is, opens on a click, goes away by its cross or Delete.
#pragma once

#include <QAbstractButton>

namespace loadline::ui {

class FilterChip : public QAbstractButton {
    Q_OBJECT

public:
    explicit FilterChip(QWidget* parent);

    /// `kind` muted before `value` ("model", "opus-4-5"); `toolTip` lists it in full.
    void setContent(const QString& kind, const QString& value, const QString& toolTip);

    [[nodiscard]] QString value() const { return value_; }

    [[nodiscard]] QRect crossRect() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void removed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QString kind_, value_;
    bool crossPressed_ = false;
    bool crossHovered_ = false;
};

} // namespace loadline::ui
