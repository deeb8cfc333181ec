// Tells that what scrolls goes on below its lower edge.
#pragma once

#include <QToolButton>

class QScrollArea;

namespace loadline::ui {

/// A button over the lower edge of `area`, there while more is below; a click brings it up.
class MoreBelow : public QToolButton {
    Q_OBJECT

public:
    explicit MoreBelow(QScrollArea* area);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< of the area's viewport
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    QScrollArea* area_;
};

} // namespace loadline::ui
