// A window on made-up sessions with settings of its own, driven by tests.
#pragma once

#include "app/window/main_window.h"
#include "app/window/settings/appearance.h"
#include "tests/app/made_up_sessions.h"
#include "ui/chart/frame/chart_frame.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

namespace made_up {

/// Every warning fails but the offscreen platform's own.
inline void failOnWarnings() {
    QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*"));
}

/// A request of a given length, whose curves take a second.
inline loadline::SimulationRequest shortRuns() {
    loadline::SimulationRequest request;
    request.replicas = 2;
    request.length = {.iterations = 1000, .turns = std::nullopt};
    return request;
}

/// All text that a panel shows.
inline QString textOf(const QWidget& panel) {
    QStringList texts;
    for (const auto* label : panel.findChildren<QLabel*>()) {
        texts << label->text() << label->accessibleDescription(); // whole, where a window is too narrow
    }
    for (const auto* edit : panel.findChildren<QPlainTextEdit*>()) {
        texts << edit->toPlainText();
    }
    for (const auto* button : panel.findChildren<QAbstractButton*>()) {
        texts << button->text() << button->toolTip();
    }
    return texts.join('\n');
}

/// Layouts that wait for events have had them.
inline void layOut() {
    for (int i = 0; i < 4; ++i) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
}

class WindowFixture {
public:
    /// `list`: see setStudies().
    explicit WindowFixture(std::span<const loadline::ask::Study> list = loadline::app::programStudies())
        : studies(list) {
        restart();
    }

    /// Closes the window as a user does and starts another with the same settings.
    void restart() {
        if (window) {
            window->close();
        }
        window.reset();
        look.reset();
        QApplication::setPalette(loadline::ui::Theme::light().palette()); // the system's, as it were
        look = std::make_unique<loadline::app::Appearance>(
            *static_cast<QApplication*>(QCoreApplication::instance()));
        window = std::make_unique<loadline::app::MainWindow>(*look, folder.filePath("settings.ini"), studies);
        window->show();
    }

    /// Everything that is under way has arrived.
    [[nodiscard]] bool settle() const {
        return QTest::qWaitFor(
            [&] { return !bench().loader().isLoading() && (!bench().corpus() || bench().isSettled()); },
            60'000);
    }

    [[nodiscard]] bool open(const QString& path) const {
        window->openPaths({path});
        return settle();
    }

    [[nodiscard]] bool show(loadline::app::Page page) const {
        bench().showPage(page);
        return settle();
    }

    [[nodiscard]] loadline::app::Workbench& bench() const { return window->workbench(); }

    [[nodiscard]] QRect inWindow(const QWidget* widget) const {
        return {widget->mapTo(window.get(), QPoint(0, 0)), widget->size()};
    }

    /// Of the made-up session with this number.
    [[nodiscard]] std::string keyOf(int session) const {
        for (const loadline::Session& s : bench().corpus()->sessions) {
            if (s.sessionId == idOf(session).toStdString()) {
                return s.key;
            }
        }
        return {};
    }

    [[nodiscard]] loadline::app::Workspace& workspace() const { return *window->workspace(); }

    template <typename PageType>
    PageType& page(loadline::app::Page which) const {
        return dynamic_cast<PageType&>(workspace().page(which));
    }

    /// The numbers that a page's chart shows.
    [[nodiscard]] loadline::Table tableOf(loadline::app::Page which) const {
        const auto& drawing = workspace().page(which).frame()->drawing();
        return drawing ? drawing->table() : loadline::Table{};
    }

    /// A command, or a page's.
    template <typename Id>
    void trigger(Id id) const {
        window->actions()[id]->trigger();
    }

    std::span<const loadline::ask::Study> studies;
    QTemporaryDir folder;
    std::unique_ptr<loadline::app::Appearance> look;
    std::unique_ptr<loadline::app::MainWindow> window;
};

/// The sum of a column of whole numbers.
inline qint64 sumOf(const loadline::Table& table, const std::string& column) {
    qint64 sum = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i] == column) {
            for (const auto& row : table.rows) {
                if (const auto* n = std::get_if<std::int64_t>(&row[i])) {
                    sum += *n;
                }
            }
        }
    }
    return sum;
}

} // namespace made_up
