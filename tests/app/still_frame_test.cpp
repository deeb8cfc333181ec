// What is under the pointer stays there: sentences, panels and sizes of the window move and cut nothing.
#include "app/pages/sessions/overview_page.h"
#include "app/pages/sessions/timeline_page.h"
#include "app/pages/simulation/simulation_page.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/timeline/timeline_chart.h"
#include "ui/panel/frame/rail.h"
#include "ui/panel/frame/scroll_stack.h"
#include "ui/panel/frame/side_fold.h"
#include "ui/panel/part/progress_strip.h"
#include "ui/panel/sessions/session_panel.h"
#include "ui/panel/start/source_card.h"
#include "ui/panel/start/start_page.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSignalSpy>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

namespace {

const QString longSentence = QStringLiteral(
    "A headline that goes on and on, with 12 345 numbers and many words about what was found, so "
    "that no window of any size that somebody works with has room for all of it in the lines "
    "that are kept free for it, and then says a little more. And what qualifies it is no "
    "shorter: it takes line after line, names every condition under which it was found, counts "
    "what was left out, why, and what one would have to do to count it after all, twice over, "
    "and ends only when nobody reads on any more, which is here, or rather a few words later.");

} // namespace

class StillFrameTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir sessions_;
    std::unique_ptr<WindowFixture> fixture_;

    [[nodiscard]] WindowFixture& f() const { return *fixture_; }

    /// The middle of a call's bar in the Timeline.
    [[nodiscard]] static QPoint placeOfCall(const ui::TimelineChart& chart, const ui::TimelineItem& item) {
        for (int y = 0; y < chart.height(); ++y) {
            for (int x = chart.width() - 1; x > 0; x -= 3) { // from the right: where panels used to open
                if (itemUnder(chart, {x, y}) == item) {
                    return {x, y};
                }
            }
        }
        return {};
    }

    static std::optional<ui::TimelineItem> itemUnder(const ui::TimelineChart& chart, QPoint at) {
        QMouseEvent move(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(const_cast<ui::TimelineChart*>(&chart), &move);
        return chart.current();
    }

private slots:

    void initTestCase() { made_up::writeThree(sessions_.path()); }

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void noSentenceMovesToolBarOrChart() {
        QVERIFY(f().open(sessions_.path()));
        int compared = 0;
        for (const Page page : pages()) {
            QVERIFY(f().show(page));
            ui::ChartFrame* frame = f().workspace().page(page).frame();
            if (frame->isEmpty()) {
                continue; // nothing is said
            }
            ++compared;
            const auto* table = frame->findChild<QToolButton*>("table");
            std::vector<std::pair<QRect, QRect>> places;
            for (const QString& sentence : {QString("Short."), longSentence, QString("Two. Sentences.")}) {
                frame->setDrawing(frame->drawing(), sentence);
                made_up::layOut();
                places.emplace_back(f().inWindow(table), f().inWindow(frame->chart()));
            }
            QCOMPARE(places[1], places[0]);
            QCOMPARE(places[2], places[0]);
        }
        QVERIFY2(compared >= 4, "the pages of sessions at least have something to say");
    }

    void theCommandsOfASimulationStayInOneRow() {
        f().window->resize(1280, 800);
        for (const Page page : {Page::Simulator, Page::Crossover, Page::WhatPays}) {
            f().trigger(page);
            auto& view = f().page<SimulationPage>(page);
            std::vector<QRect> before;
            const auto places = [&] {
                made_up::layOut();
                std::vector<QRect> all;
                for (const auto* button : view.frame()->findChildren<QToolButton*>()) {
                    if (button->isVisible() && button->defaultAction()) {
                        all.push_back(f().inWindow(button));
                    }
                }
                return all;
            };
            before = places(); // while it is computed for the first time
            QVERIFY(before.size() >= 2);
            for (const QRect& button : before) {
                QVERIFY2(std::abs(button.center().y() - before.front().center().y()) < 8,
                         qPrintable(view.accessibleName()));
            }
            QVERIFY(before.front().top() >
                    f().inWindow(view.frame()->findChild<QToolButton*>("table")).bottom());
            view.progress()->setShare(0.5);
            QCOMPARE(places(), before);
            (void)QTest::qWaitFor([&] { return f().bench().simulation().isSettled(); }, 5'000);
            QCOMPARE(places(), before);
        }
    }

    void evidenceOpensWhereItMovesNothing_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("listShown");
        QTest::newRow("below the list") << QSize(1280, 800) << true;
        QTest::newRow("beside the list as a tab") << QSize(1024, 520) << true;
        QTest::newRow("over the window") << QSize(1280, 800) << false;
    }

    void evidenceOpensWhereItMovesNothing() {
        QFETCH(QSize, size);
        QFETCH(bool, listShown);
        f().window->resize(size);
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Timeline));
        auto* list = f().window->findChild<QDockWidget*>("sessions");
        list->setVisible(listShown);
        made_up::layOut();
        auto& page = f().page<TimelinePage>(Page::Timeline);
        auto* chart = page.findChild<ui::TimelineChart*>();
        const ui::TimelineItem item{ui::TimelineItem::Kind::Call, 2};
        const QPoint at = placeOfCall(*chart, item);
        QVERIFY(!at.isNull());
        const QRect place = f().inWindow(chart);
        QVERIFY(f().workspace().evidenceDock().isHidden());

        QTest::mouseClick(chart, Qt::LeftButton, {}, at);
        QVERIFY(f().settle());
        made_up::layOut();
        QVERIFY(f().workspace().evidenceDock().isVisible());
        QCOMPARE(f().workspace().evidenceDock().isFloating(), !listShown);
        QCOMPARE(f().inWindow(chart), place);
        QCOMPARE(itemUnder(*chart, at), std::optional(item));
        QCOMPARE(chart->pinned(), std::optional(item));

        f().bench().showPage(Page::Kernels); // speaks of no session
        QVERIFY(f().workspace().evidenceDock().isHidden());
        f().bench().showPage(Page::Timeline);
        QVERIFY(!f().workspace().evidenceDock().isHidden());
    }

    void theRailFoldsToItsIcons() {
        QVERIFY(f().open(sessions_.path()));
        auto* rail = f().window->findChild<ui::Rail*>();
        f().window->resize(1280, 800);
        made_up::layOut();
        QCOMPARE(rail->toolButtonStyle(), Qt::ToolButtonTextUnderIcon);
        f().window->resize(1024, 360);
        made_up::layOut();
        QCOMPARE(rail->toolButtonStyle(), Qt::ToolButtonIconOnly);
        for (const Page page : pages()) {
            const QWidget* button = rail->widgetForAction(f().window->actions()[roomOf(page)]);
            QVERIFY(!button->toolTip().isEmpty()); // the name, where the words are gone
        }
        f().window->resize(1280, 800);
        made_up::layOut();
        QCOMPARE(rail->toolButtonStyle(), Qt::ToolButtonTextUnderIcon);
    }

    void parametersFoldAndComeBack() {
        f().trigger(Page::Simulator);
        auto& page = f().page<SimulationPage>(Page::Simulator);
        auto* fold = page.findChild<ui::SideFold*>();
        f().window->resize(1280, 800);
        made_up::layOut();
        QVERIFY(!fold->isFolded() && page.panel()->isVisible());
        f().window->resize(640, 400);
        made_up::layOut();
        QVERIFY(fold->isFolded());
        QVERIFY(!fold->handle()->accessibleName().isEmpty());
        const auto* scroll = f().window->findChild<ui::ScrollStack*>();
        const QRect handle(fold->handle()->mapTo(scroll->viewport(), QPoint(0, 0)), fold->handle()->size());
        QVERIFY(scroll->viewport()->rect().intersects(handle)); // at hand without scrolling
        QTest::mouseClick(fold->handle(), Qt::LeftButton);
        QVERIFY(!fold->isFolded() && page.panel()->isVisible());
        f().window->resize(700, 420); // what the hand opened stays open
        made_up::layOut();
        QVERIFY(!fold->isFolded());
    }

    void eachChartOfAPageHasItsMenu() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Sessions));
        auto& page = f().page<OverviewPage>(Page::Sessions);
        const auto buttons = page.findChildren<QToolButton*>("chartMenu");
        QCOMPARE(buttons.size(), 3);
        std::set<std::string> tables;
        for (QToolButton* button : buttons) {
            QTest::mouseClick(button, Qt::LeftButton);
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu);
            menu->close();
            tables.insert(toCsv(page.frame()->drawing()->table()));
            const auto asked = drawingFor(page.request(), f().bench().corpus());
            QVERIFY(asked);
            QCOMPARE(QString::fromStdString(toCsv((*asked)->table())),
                     QString::fromStdString(toCsv(page.frame()->drawing()->table())));
        }
        QCOMPARE(tables.size(), 3U); // another chart each time, and export means it
    }

    void aPageIsSavedAsOnePicture() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Sessions));
        const auto requests = f().workspace().currentPage().requests();
        QCOMPARE(requests.size(), 3U);
        QSignalSpy saved(&f().window->exportFlow(), &ExportFlow::saved);
        for (const char* format : {"png", "svg", "pdf"}) {
            const QString path = f().folder.filePath(QString("page.") + format);
            f().window->exportFlow().savePage(Page::Sessions, requests, f().bench().corpus(), path, {});
            QVERIFY(saved.wait(20'000));
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        QVERIFY(ui::commandInPng(f().folder.filePath("page.png").toStdString())
                    .startsWith("loadline export page sessions"));
        const QImage picture(f().folder.filePath("page.png"));
        QCOMPARE(picture.size(), QSize(1600, 900));
        // Three places, each with something drawn in it.
        for (const QRect& place :
             {QRect(30, 200, 700, 280), QRect(830, 200, 700, 280), QRect(30, 560, 1500, 280)}) {
            const QImage part = picture.copy(place);
            std::set<QRgb> colours;
            for (int y = 0; y < part.height(); ++y) {
                for (int x = 0; x < part.width(); ++x) {
                    colours.insert(part.pixel(x, y));
                }
            }
            QVERIFY(colours.size() > 3);
        }
    }

    void whileTheFirstFilesAreReadThePagesSaySo() {
        f().window->openPaths({sessions_.path()});
        QVERIFY(f().bench().loader().isLoading());
        const auto says = [](const QWidget& part, const QString& words) {
            const auto labels = part.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                return !label->isHidden() && label->text().contains(words);
            });
        };
        QVERIFY(says(f().workspace().currentPage(), "Looking for session files"));
        LoadProgress now;
        now.filesDone = 3;
        now.filesTotal = 12;
        now.bytesTotal = 1000;
        for (const Page page : {Page::Distributions, Page::Timeline, Page::Composition}) {
            f().trigger(page);
            emit f().bench().loader().progressed(now);
            QVERIFY(says(f().workspace().currentPage(), "Reading: 3 of 12 files"));
        }
        QVERIFY(says(f().workspace().sessions(), "Reading"));
        QVERIFY(!says(f().workspace().sessions(), "No sessions"));
        QVERIFY(f().settle());
        QVERIFY(!f().workspace().currentPage().frame()->isEmpty());
        QVERIFY(!says(f().workspace().sessions(), "Reading"));
    }

    void whatIsReadSoFarIsNotGrey() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Distributions));
        ui::ChartFrame* frame = f().workspace().currentPage().frame();
        emit f().bench().staleChanged(Page::Distributions, true);
        QVERIFY(frame->isStale());
        emit f().bench().staleChanged(Page::Distributions, false);
        f().bench().loader().reload();
        QVERIFY(f().bench().loader().isLoading());
        emit f().bench().staleChanged(Page::Distributions, true);
        QVERIFY(!frame->isStale() && !frame->isEmpty());
        QVERIFY(f().settle());
    }

    void enterOnACardIsAClick() {
        for (auto* card : f().window->startPage().findChildren<ui::SourceCard*>()) {
            card->setEnabled(true);
            disconnect(card, &QAbstractButton::clicked, nullptr, nullptr); // no dialog is opened here
            QSignalSpy clicked(card, &QAbstractButton::clicked);
            for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space}) {
                QTest::keyClick(card, key);
            }
            QCOMPARE(clicked.count(), 3);
        }
    }
};

QTEST_MAIN(StillFrameTest)
#include "still_frame_test.moc"
