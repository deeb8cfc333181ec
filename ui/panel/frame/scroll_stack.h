// Pages, one at a time, that scroll where the window is smaller than they can be.
#pragma once

#include <QScrollArea>

class QStackedWidget;

namespace loadline::ui {

class ScrollStack : public QScrollArea {
    Q_OBJECT

public:
    explicit ScrollStack(QStackedWidget* stack, QWidget* parent = nullptr);
};

} // namespace loadline::ui
