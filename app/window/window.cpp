// The window, as main sees it.
#include "app/window/window.h"

#include "app/window/appearance.h"
#include "app/window/main_window.h"
#include "app/window/settings.h"

#include <QApplication>

namespace loadline::app {

int openWindow(QApplication& application, const std::vector<std::string>& paths) {
    Appearance appearance(application);
    MainWindow window(appearance, settingsPath());
    QStringList list;
    for (const std::string& path : paths)
        list << QString::fromStdString(path);
    window.show();
    if (list.isEmpty())
        window.openLastIfWanted();
    else
        window.openPaths(list);
    return QApplication::exec();
}

} // namespace loadline::app
