// Prefix breaks on the Cache page: the mark in the chart is the row in the list, both lead to the timeline.
#include "app/asked/asked.h"
#include "tests/app/cache_page_tests.h"
#include "ui/panel/cache/break_list.h"

#include <QHeaderView>
#include <QLabel>

#include <algorithm>

using namespace loadline;
using namespace loadline::app;

class CacheBreaksTest : public made_up::CachePageTests {
    Q_OBJECT

private slots:

    void initTestCase() { QVERIFY(made_up::writeThreeWithABreak(sessions_.path())); }

    void init() { begin(); }

    void cleanup() { end(); }

    void aBreakIsShownInItsTimeline() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        emit page().breaks()->activated(page().breaks()->model()->index(0, 0));
        QVERIFY(QTest::qWaitFor([this] { return f().bench().state().page == Page::Timeline; }, 20'000));
        QVERIFY(f().settle());
        const auto shown = f().bench().shown<TimelineShown>(Page::Timeline);
        QCOMPARE(shown->session, f().keyOf(3));
        const auto pinned = f().bench().state().pinned;
        QVERIFY(pinned && pinned->session == f().keyOf(3));
        QCOMPARE(shown->timeline->calls[pinned->item.index].usage.cacheWrite, 12'300);
        const ui::TimelineView view = asked().sessions.timelineOf(shown->session);
        QVERIFY(view.end > view.start);
        f().trigger(ActionId::Undo);
        QVERIFY(asked().sessions.timelineOf(shown->session).end < 0);
    }

    void whatIsToldOfBreaksDoesNotWidenThePage() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const QList<QLabel*> labels = page().findChildren<QLabel*>();
        const auto title = std::ranges::find_if(
            labels, [](const QLabel* label) { return label->text().contains("prefix break"); });
        QVERIFY(title != labels.end());
        const int before = page().minimumSizeHint().width();
        (*title)->setText((*title)->text().repeated(8));
        QCoreApplication::processEvents();
        QCOMPARE(page().minimumSizeHint().width(), before);
    }

    void aBreaksMarkIsItsRow() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        f().bench().setAsked(
            [this] {
                Asked next = asked();
                next.sessions.session = f().keyOf(3);
                return next;
            }(),
            "session");
        ui::PlotView* view = page().grid()->view(4);
        const auto area = [view] {
            constexpr double inset = ui::spacing / 2.0;
            return QRectF(view->rect()).adjusted(inset, inset, -inset, -inset);
        };
        QCOMPARE(view->drawing()->items(area()).size(), std::size_t{1});
        QCOMPARE(view->drawing()->pickedItem(), -1);
        const QPoint mark = view->drawing()->items(area())[0].toPoint();
        QTest::mouseClick(view, Qt::LeftButton, {}, mark);
        QCOMPARE(page().breaks()->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(view->drawing()->pickedItem(), 0);
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(!page().breaks()->selectionModel()->hasSelection());
        QCOMPARE(view->drawing()->pickedItem(), -1);
        page().breaks()->selectRow(0);
        QCOMPARE(view->drawing()->pickedItem(), 0);
        const int usual = page().breaks()->verticalHeader()->defaultSectionSize();
        page().breaks()->setFixedWidth(40 * page().breaks()->fontMetrics().horizontalAdvance('0'));
        made_up::layOut();
        QCOMPARE(page().breaks()->rowHeight(0), usual); // chosen or not, a line
        const QModelIndex evidence =
            page().breaks()->model()->index(0, static_cast<int>(ui::BreakColumn::Evidence));
        QVERIFY(page().breaks()->columnWidth(evidence.column()) <
                page().breaks()->fontMetrics().horizontalAdvance(evidence.data().toString()));
        QVERIFY2(
            evidence.data(Qt::ToolTipRole).toString().contains(evidence.data().toString().toHtmlEscaped()),
            "its evidence is read whole in its tip");
        QTest::keyClick(view, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([this] { return f().bench().state().page == Page::Timeline; }, 20'000));
        QVERIFY(f().bench().state().pinned && f().bench().state().pinned->session == f().keyOf(3));
        QVERIFY(f().show(Page::Cache));
        f().bench().pin(std::nullopt);
        QTest::mouseDClick(view, Qt::LeftButton, {}, mark);
        QVERIFY(QTest::qWaitFor([this] { return f().bench().state().page == Page::Timeline; }, 20'000));
        QVERIFY(f().bench().state().pinned.has_value());
    }
};

QTEST_MAIN(CacheBreaksTest)
#include "cache_breaks_test.moc"
