// A drag that Esc cancels: the setting, the steps of undo and the answer are as they were.
#include "app/pages/simulation/simulation_page.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/frame/chart_grid.h"
#include "ui/form/field_form.h"

#include <QMouseEvent>
#include <QSignalSpy>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>

#include <memory>
#include <vector>

namespace loadline::app {

class CancelledDragTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] SimulationBench& simulation() const { return f().bench().simulation(); }

    [[nodiscard]] const SimulationRequest& request() const { return f().bench().state().simulation; }

    [[nodiscard]] bool show(Page page) const {
        f().bench().setSimulation(made_up::shortRuns(), "short");
        f().trigger(page);
        return QTest::qWaitFor([&] { return simulation().isSettled(); }, 60'000);
    }

private slots:

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void nothingIsLeftOfIt_data() {
        QTest::addColumn<Page>("which");
        QTest::addColumn<ui::PlotFieldChange>("first");
        QTest::addColumn<ui::PlotFieldChange>("second");
        QTest::newRow("marker") << Page::Simulator << ui::PlotFieldChange{"users", -1, 20.0}
                                << ui::PlotFieldChange{"users", -1, 30.0};
        QTest::newRow("times of a kernel") << Page::WhatPays << ui::PlotFieldChange{"time-scale", 0, 0.5}
                                           << ui::PlotFieldChange{"time-scale", 0, 0.25};
    }

    void nothingIsLeftOfIt() {
        QFETCH(Page, which);
        QFETCH(ui::PlotFieldChange, first);
        QFETCH(ui::PlotFieldChange, second);
        QVERIFY(show(which));
        const SimulationRequest before = request();
        const int steps = f().bench().undoStack().count();
        ui::ChartGrid* grid = f().page<SimulationPage>(which).grid();
        const auto drag = [&](const ui::PlotFieldChange& to) {
            ui::PlotChange change;
            change.fields = {to};
            emit grid->changed(0, change, false);
        };
        emit grid->dragBegan();
        drag(first);
        drag(second);
        QVERIFY(request() != before);
        emit grid->dragCancelled();
        QVERIFY(request() == before);
        QCOMPARE(f().bench().undoStack().count(), steps);
        QVERIFY(!f().bench().undoStack().canRedo());
    }

    void itsStepMergesIntoNone() {
        QVERIFY(show(Page::Simulator));
        ui::ChartGrid* grid = f().page<SimulationPage>(Page::Simulator).grid();
        ui::PlotChange change;
        change.fields = {{"users", -1, 20.0}};
        emit grid->dragBegan();
        emit grid->changed(0, change, true); // a moment ago, of the same name
        const SimulationRequest before = request();
        change.fields = {{"users", -1, 40.0}};
        emit grid->dragBegan();
        emit grid->changed(0, change, false);
        emit grid->dragCancelled();
        QVERIFY(request() == before);
    }

    void aSliderComesBackAndStaysThere() {
        QVERIFY(show(Page::Simulator));
        auto* slider =
            f().page<SimulationPage>(Page::Simulator).panel()->control("users")->findChild<QSlider*>();
        const SimulationRequest before = request();
        const int steps = f().bench().undoStack().count();
        const int place = slider->value();
        QStyleOptionSlider option;
        option.initFrom(slider);
        option.minimum = slider->minimum();
        option.maximum = slider->maximum();
        option.sliderPosition = option.sliderValue = place;
        const QPoint handle =
            slider->style()
                ->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider)
                .center();
        QTest::mousePress(slider, Qt::LeftButton, {}, handle);
        QVERIFY(slider->isSliderDown());
        const auto move = [&](int pixels) {
            const QPointF to = handle + QPoint(pixels, 0);
            QMouseEvent event(QEvent::MouseMove, to, slider->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                              {});
            QCoreApplication::sendEvent(slider, &event);
        };
        move(40);
        QVERIFY(request() != before);
        QVERIFY(!f().page<SimulationPage>(Page::Simulator).dimsStale()); // a hand is on it
        QTest::keyClick(slider, Qt::Key_Escape);
        QVERIFY(f().page<SimulationPage>(Page::Simulator).dimsStale());
        QVERIFY(request() == before);
        QCOMPARE(slider->value(), place);
        move(60); // the button is still down
        QTest::mouseRelease(slider, Qt::LeftButton, {}, handle + QPoint(60, 0));
        QVERIFY(request() == before);
        QCOMPARE(slider->value(), place);
        QCOMPARE(f().bench().undoStack().count(), steps);
    }

    void aPreviewOfItIsNotShown() {
        QVERIFY(show(Page::Simulator));
        std::vector<Simulated> answers;
        connect(&simulation(), &SimulationBench::answered, this,
                [&](const Simulated& shown) { answers.push_back(shown); });
        const SimulationRequest before = request();
        SimulationRequest slow;
        slow.arrivals.users = 4000;
        f().bench().setSimulation(slow, "slow", false);
        QVERIFY(!simulation().isSettled());
        f().bench().setSimulation(before, "slow", false);
        QVERIFY(simulation().isSettled());
        QVERIFY(QTest::qWaitFor([&] { return simulation().isRefined(); }, 60'000));
        for (const Simulated& answer : answers) {
            QCOMPARE(answer->question.request.arrivals.users, before.arrivals.users);
        }
    }
};

} // namespace loadline::app

QTEST_MAIN(loadline::app::CancelledDragTest)
#include "cancelled_drag_test.moc"
