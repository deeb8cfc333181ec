// The window, as main sees it.
#include "app/window/window.h"

#include "app/window/main_window.h"
#include "app/window/settings/appearance.h"
#include "app/window/settings/settings.h"
#include "ui/theme/format.h"

#include <QApplication>
#include <QIcon>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace loadline::app {

namespace {

/// Drawn here, so that no image plugin is needed.
QIcon programIcon() {
    QSvgRenderer drawing(QStringLiteral(":/loadline.svg"));
    QIcon icon;
    for (const int side : {16, 32, 48, 128, 256}) {
        QPixmap picture(side, side);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        drawing.render(&painter);
        painter.end();
        icon.addPixmap(picture);
    }
    return icon;
}

} // namespace

int openWindow(QApplication& application, const std::vector<std::string>& paths,
               std::span<const ask::Study> list) {
    QApplication::setWindowIcon(programIcon());
    QGuiApplication::setDesktopFileName(
        QStringLiteral("loadline")); // of an installation (resources/packaging)
    Appearance appearance(application);
    MainWindow window(appearance, settingsPath(), list);
    const QStringList names = ui::listFromUtf8(paths);
    window.show();
    if (names.isEmpty()) {
        window.openLastIfWanted();
    } else {
        window.openPaths(names);
    }
    return QApplication::exec();
}

} // namespace loadline::app
