// A window on the Server log page, with made-up logs.
#pragma once

#include "app/asked/asked.h"
#include "app/pages/serverlog/server_log_page.h"
#include "tests/app/made_up_server_logs.h"
#include "tests/app/window_fixture.h"
#include "ui/form/field_form.h"
#include "ui/panel/serverlog/raw_log_view.h"

#include <functional>
#include <memory>

namespace made_up {

/// What tests of the Server log page share; each of them begins with a window of its own.
class ServerLogPageTests : public QObject {
protected:
    [[nodiscard]] WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] loadline::app::ServerLogPage& page() const {
        return f().page<loadline::app::ServerLogPage>(loadline::app::Page::ServerLog);
    }

    template <typename Control>
    [[nodiscard]] Control* control(std::string_view field) const {
        return qobject_cast<Control*>(page().panel()->control(field));
    }

    [[nodiscard]] const loadline::app::Asked& asked() const { return f().bench().state().asked; }

    void begin() {
        failOnWarnings();
        fixture_ = std::make_unique<WindowFixture>();
    }

    void end() { fixture_.reset(); }

    [[nodiscard]] QString vllm() const { return logs_.filePath("vllm.log"); }

    [[nodiscard]] QString llama() const { return logs_.filePath("llama.log"); }

    void writeLogs() const {
        writeText(vllm(), vllmLog(300));
        writeText(llama(), llamaCppLog(12));
    }

    static bool wait(const std::function<bool()>& until) { return QTest::qWaitFor(until, 20'000); }

    /// Opened by hand, and judged.
    [[nodiscard]] bool opens(const QStringList& paths) const {
        f().window->openPaths(paths);
        return f().bench().state().page == loadline::app::Page::ServerLog &&
               wait([&] { return page().shown() && page().shown()->log().files == asked().log.files; });
    }

    [[nodiscard]] const loadline::ui::PlotDrawing& drawing(int chart) const {
        return *page().grid()->view(chart)->drawing();
    }

    QTemporaryDir logs_;

private:
    std::unique_ptr<WindowFixture> fixture_;
};

} // namespace made_up
