// A window whose Kernels page measures the made-up device and keeps its profiles in a folder of its own.
#pragma once

#include "app/pages/kernels/kernels_page.h"
#include "tests/app/window_fixture.h"

#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

namespace made_up {

class KernelsFixture {
protected:
    static constexpr int patience = 60'000;
    inline static const std::string madeUp = "device:made-up";

    void startWindow() {
        failOnWarnings();
        qunsetenv("LOADLINE_MADE_UP");
        data_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", data_->path().toLocal8Bit());
        fixture_ = std::make_unique<WindowFixture>();
    }

    void closeWindow() { fixture_.reset(); }

    void endWindow() {
        closeWindow();
        data_.reset();
    }

    /// A file beside the profiles that are kept.
    [[nodiscard]] QString dataPath(const QString& name) const { return data_->filePath(name); }

    [[nodiscard]] WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] loadline::app::KernelBench& kernels() const { return f().bench().kernels(); }

    [[nodiscard]] loadline::app::KernelsPage& page() const {
        return f().page<loadline::app::KernelsPage>(loadline::app::Page::Kernels);
    }

    void useProgram() const {
        kernels().job().setProgram(LOADLINE_EXECUTABLE);
        kernels().lister().setProgram(LOADLINE_EXECUTABLE);
    }

    [[nodiscard]] bool open() const {
        useProgram();
        f().trigger(loadline::app::Page::Kernels);
        return settled();
    }

    [[nodiscard]] bool settled() const {
        return QTest::qWaitFor([&] { return kernels().isSettled() && kernels().knowsDevices(); }, patience);
    }

    void choose(const std::string& key) const {
        const int row = page().list()->profiles().rowOf(QString::fromStdString(key));
        QVERIFY2(row >= 0, key.c_str());
        page().list()->setCurrentIndex(page().list()->profiles().index(row));
    }

    /// The made-up device, k = 4 alone, quick.
    void chooseMadeUp() const {
        choose(madeUp);
        loadline::KernelsQuestion view = f().bench().state().asked.kernels;
        view.bench.kBits = {4};
        view.bench.preset = "quick";
        f().bench().setKernels(view, "quick");
    }

    [[nodiscard]] bool ended() const {
        return QTest::qWaitFor([&] { return !kernels().isMeasuring(); }, patience) && settled();
    }

    [[nodiscard]] bool measured() const {
        chooseMadeUp();
        page().measure();
        return ended();
    }

    [[nodiscard]] QPushButton* run() const { return page().measuring()->runButton(); }

    [[nodiscard]] std::size_t rows() const {
        const auto& drawing = page().frame()->drawing();
        return drawing ? drawing->table().rows.size() : 0;
    }

private:
    std::unique_ptr<QTemporaryDir> data_;
    std::unique_ptr<WindowFixture> fixture_;
};

} // namespace made_up
