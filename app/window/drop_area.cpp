// Drag and drop of local paths.
#include "app/window/drop_area.h"

#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

namespace loadline::app {
namespace {

QStringList localPaths(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile()) {
            paths << url.toLocalFile();
        }
    }
    return paths;
}

} // namespace

DropArea::DropArea(QWidget& window) : QObject(&window) {
    window.setAcceptDrops(true);
    window.installEventFilter(this);
}

bool DropArea::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::DragEnter: {
        auto* drag = static_cast<QDragEnterEvent*>(event);
        if (localPaths(drag->mimeData()).isEmpty()) {
            break;
        }
        drag->acceptProposedAction();
        emit activeChanged(true);
        return true;
    }
    case QEvent::DragLeave:
        emit activeChanged(false);
        break;
    case QEvent::Drop: {
        auto* drop = static_cast<QDropEvent*>(event);
        const QStringList paths = localPaths(drop->mimeData());
        if (paths.isEmpty()) {
            break;
        }
        drop->acceptProposedAction();
        emit activeChanged(false);
        emit dropped(paths, drop->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier));
        return true;
    }
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace loadline::app
