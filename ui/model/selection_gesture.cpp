// Waits for the button's release.
#include "ui/model/selection_gesture.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QItemSelectionModel>

#include <utility>

namespace loadline::ui {
namespace {

class SelectionGesture : public QObject {
public:
    SelectionGesture(QAbstractItemView& view, std::function<void()> take)
        : QObject(&view), take_(std::move(take)) {
        view.viewport()->installEventFilter(this);
        connect(view.selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
            pending_ = true;
            if (!isDown_) {
                tell();
            }
        });
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::MouseButtonPress) {
            isDown_ = true;
        } else if (event->type() == QEvent::MouseButtonRelease) {
            isDown_ = false;
            tell();                                 // what the release itself selects follows at once
        } else if (event->type() == QEvent::Hide) { // the release may never come
            isDown_ = false;
            pending_ = false;
        }
        return QObject::eventFilter(watched, event);
    }

private:
    void tell() {
        if (!isDown_ && std::exchange(pending_, false)) {
            take_();
        }
    }

    std::function<void()> take_;
    bool isDown_ = false;
    bool pending_ = false;
};

} // namespace

void onSelection(QAbstractItemView& view, std::function<void()> take) {
    new SelectionGesture(view, std::move(take)); // the view's
}

} // namespace loadline::ui
