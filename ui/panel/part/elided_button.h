// A link-like button whose text is cut in its middle where it does not fit: paths.
#pragma once

#include <QAbstractButton>

namespace loadline::ui {

class ElidedButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit ElidedButton(QWidget* parent);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace loadline::ui
