// The stack keeps its least size; what shows less of it scrolls.
#include "ui/panel/frame/scroll_stack.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QScrollBar>
#include <QStackedWidget>

namespace loadline::ui {
namespace {

constexpr QSize leastShown(40 * spacing, 24 * spacing);

/// Without a layout: a scroll area takes the height that a layout would like for the least that will do.
class StackPlace : public QWidget {
public:
    explicit StackPlace(QStackedWidget* stack) : stack_(stack) { stack->setParent(this); }

    [[nodiscard]] QSize minimumSizeHint() const override { return stack_->minimumSizeHint(); }

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest) {
            updateGeometry(); // the scroll area asks again
        }
        return QWidget::event(event);
    }

    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        stack_->resize(size());
    }

private:
    QStackedWidget* stack_;
};

} // namespace

ScrollStack::ScrollStack(QStackedWidget* stack, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    setMinimumSize(leastShown);
    setWidget(new StackPlace(stack));
    connect(stack, &QStackedWidget::currentChanged, this, [this] { // a page begins at its head
        horizontalScrollBar()->setValue(0);
        verticalScrollBar()->setValue(0);
    });
}

} // namespace loadline::ui
