// A window on the Cache page, with made-up sessions and a made-up trace.
#pragma once

#include "app/asked/asked.h"
#include "app/pages/cache/cache_page.h"
#include "tests/app/window_fixture.h"
#include "ui/form/field_form.h"

#include <QFile>

#include <memory>

namespace made_up {

/// What tests of the Cache page share; each of them begins with a window of its own.
class CachePageTests : public QObject {
protected:
    [[nodiscard]] WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] loadline::app::CachePage& page() const {
        return f().page<loadline::app::CachePage>(loadline::app::Page::Cache);
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

    [[nodiscard]] QString tracePath() const { return traces_.filePath("trace.jsonl"); }

    /// 40 requests, each with the blocks of those before it.
    [[nodiscard]] bool writeTrace() const {
        QFile file(tracePath());
        if (!file.open(QIODevice::WriteOnly)) {
            return false;
        }
        for (int i = 0; i < 40; ++i) {
            QByteArray ids;
            for (int block = 0; block <= i / 2; ++block) {
                ids += (block > 0 ? "," : "") + QByteArray::number(block);
            }
            file.write("{\"timestamp\":" + QByteArray::number(1000 * i) +
                       ",\"input_length\":" + QByteArray::number(512 * (i / 2 + 1)) +
                       ",\"output_length\":20,\"hash_ids\":[" + ids + "]}\n");
        }
        return true;
    }

    [[nodiscard]] bool showsTrace() const {
        return QTest::qWaitFor(
            [this] {
                const auto shown = f().bench().shown<loadline::app::CacheShown>(loadline::app::Page::Cache);
                return shown && shown->trace == tracePath().toStdString();
            },
            20'000);
    }

    QTemporaryDir sessions_;
    QTemporaryDir traces_;

private:
    std::unique_ptr<WindowFixture> fixture_;
};

} // namespace made_up
