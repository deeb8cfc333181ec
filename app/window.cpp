// A plain window that lists what it was asked to open.
#include "app/window.h"

#include <QApplication>
#include <QMainWindow>
#include <QPlainTextEdit>

namespace loadline::app {

int openWindow(QApplication& application, const std::vector<std::string>& paths) {
    QMainWindow window;
    auto* text = new QPlainTextEdit;
    text->setReadOnly(true);
    for (const std::string& path : paths) {
        text->appendPlainText(QString::fromStdString(path));
    }
    window.setCentralWidget(text);
    window.setWindowTitle(QStringLiteral("Loadline"));
    window.resize(1280, 800);
    window.show();
    return application.exec();
}

} // namespace loadline::app
