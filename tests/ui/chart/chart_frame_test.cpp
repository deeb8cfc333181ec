// The frame around a chart: sentence, buttons, table twin, empty and stale states.
#include "ui/chart/frame/chart_frame.h"

#include "tests/ui/chart_fixtures.h"
#include "ui/chart/distribution/distribution_chart.h"
#include "ui/chart/drawings.h"
#include "ui/chart/frame/caveat_chip.h"
#include "ui/chart/frame/heading.h"
#include "ui/chart/frame/notes_area.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace loadline;
using namespace loadline::ui;

namespace {

/// Counts how often its table is asked for.
class CountingDrawing : public Drawing {
public:
    [[nodiscard]] QString title() const override { return QStringLiteral("Counting"); }

    [[nodiscard]] QString sentence() const override { return QStringLiteral("Three rows."); }

    [[nodiscard]] Table table() const override {
        ++tables;
        return {{"name", "tokens"},
                {{std::string("b"), 20000L}, {std::string("a"), 7L}, {std::string("c"), 300L}}};
    }

    void paint(QPainter& /*painter*/, const QRectF& /*area*/, const Theme& /*theme*/) const override {}

    mutable int tables = 0;
};

} // namespace

class ChartFrameTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ChartFrame> frame_;

    [[nodiscard]] QToolButton* button(const char* name) const {
        return frame_->findChild<QToolButton*>(QLatin1String(name));
    }

private slots:
    void init() {
        QTest::failOnWarning(fixtures::unexpectedWarnings());
        frame_ = std::make_unique<ChartFrame>(new DistributionChart);
        frame_->resize(900, 600);
        frame_->show();
        QVERIFY(QTest::qWaitForWindowExposed(frame_.get()));
    }

    void cleanup() { frame_.reset(); }

    void theAnswerComesFirst() {
        frame_->setDrawing(drawingOf(fixtures::distribution()));
        QLabel* sentence = nullptr;
        for (QLabel* label : frame_->findChildren<QLabel*>()) {
            sentence = label->property("role") == QLatin1String("sentence") ? label : sentence;
        }
        QVERIFY(sentence && sentence->isVisible());
        QCOMPARE(sentence->text(), QStringLiteral("Half of 9 turns add at most 5 tokens."));
        QVERIFY(sentence->geometry().bottom() <= frame_->chart()->mapTo(frame_.get(), QPoint()).y());
        QVERIFY(sentence->fontInfo().pixelSize() > frame_->fontInfo().pixelSize());
    }

    void aLongHeadlineIsCutAndItsTipIsWhole() {
        const auto* heading = frame_->findChild<Heading*>();
        const auto* label = heading->findChild<QLabel*>();
        const QString first = QStringLiteral("It holds ") + QStringLiteral("many words ").repeated(30) + u'.';
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        QVERIFY(heading->isWhole() && label->toolTip().isEmpty());
        const QSize size = heading->size();
        frame_->setDrawing(std::make_shared<CountingDrawing>(), first);
        QVERIFY(!heading->isWhole());
        QVERIFY(label->text().endsWith(QChar(0x2026)));
        QVERIFY(label->toolTip().contains(QStringLiteral("many")));
        QCOMPARE(label->accessibleDescription(), first);
        QCOMPARE(heading->size(), size);
    }

    void aHeadlineIsWrittenSmallerBeforeItIsCut() {
        const auto* heading = frame_->findChild<Heading*>();
        const auto size = [&] { return QFontMetrics(heading->findChild<QLabel*>()->font()).height(); };
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        const int usual = size();
        bool isSmaller = false;
        for (int words = 4; words < 60; ++words) {
            frame_->setDrawing(std::make_shared<CountingDrawing>(),
                               QString("number ").repeated(words) + "end.");
            isSmaller = isSmaller || (heading->isWhole() && size() < usual);
        }
        QVERIFY(isSmaller && !heading->isWhole());
    }

    void whatQualifiesTheHeadlineIsCountedAndUnfolds() {
        CaveatChip* chip = frame_->caveats();
        frame_->setDrawing(std::make_shared<CountingDrawing>(), QStringLiteral("Alone."));
        QVERIFY(!chip->isVisible());
        frame_->setDrawing(std::make_shared<CountingDrawing>(),
                           QStringLiteral("Short. It is a bound. Times are modelled."));
        QCOMPARE(chip->text(), QStringLiteral("2 caveats"));
        QVERIFY(chip->isVisible() && !chip->notes()->isVisible());
        frame_->setCaveats({QStringLiteral("Half of the files are missing.")});
        QCOMPARE(chip->text(), QStringLiteral("3 caveats"));
        chip->click();
        QVERIFY(chip->notes()->isVisible());
        QVERIFY2(chip->notes()->text().startsWith(QStringLiteral("• Half of the files")),
                 qPrintable(chip->notes()->text()));
        QVERIFY(chip->notes()->text().contains(QStringLiteral("It is a bound.")));
        frame_->setCaveats({});
    }

    void caveatsOfTheChosenChartNameIt() {
        CaveatChip* chip = frame_->caveats();
        const auto drawing = std::make_shared<CountingDrawing>();
        const QString page = QStringLiteral("The page answers. It is a bound. ");
        frame_->setSeveral(true);
        frame_->setDrawing(drawing, page + drawing->sentence());
        const QString named = drawing->title() + QStringLiteral(": ") + drawing->sentence();
        QCOMPARE(chip->text(), QStringLiteral("2 caveats"));
        QVERIFY2(chip->notes()->text().contains(named), qPrintable(chip->notes()->text()));
        QVERIFY(chip->notes()->text().contains(QStringLiteral("It is a bound.")));
        QVERIFY(chip->toolTip().contains(drawing->title()));
        frame_->setDrawing(drawing, drawing->sentence()); // the page's own, whichever chart is chosen
        QVERIFY(!chip->notes()->text().contains(named));
        frame_->setSeveral(false);
        frame_->setDrawing(drawing, page + drawing->sentence());
        QVERIFY(!chip->notes()->text().contains(named));
    }

    void anotherSentenceStandsUntilItIsTakenBack() {
        const auto said = [this] {
            for (auto* label : frame_->findChildren<QLabel*>()) {
                if (label->property("role") == QLatin1String("sentence")) {
                    return label->text();
                }
            }
            return QString();
        };
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        frame_->setSentence(QStringLiteral("Two rows are selected."));
        QCOMPARE(said(), QStringLiteral("Two rows are selected."));
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        QCOMPARE(said(), QStringLiteral("Two rows are selected."));
        frame_->setSentence({});
        QCOMPARE(said(), QStringLiteral("Three rows."));
    }

    void rowsOfTheTableTwinAreChosen() {
        const auto drawing = std::make_shared<CountingDrawing>();
        frame_->setDrawing(drawing);
        QSignalSpy chosen(frame_.get(), &ChartFrame::rowsChosen);
        frame_->setChosenRows({2});
        frame_->setTableShown(true);
        QTableView* view = frame_->tableView();
        QCOMPARE(view->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(view->selectionModel()->selectedRows()[0].data().toString(), QStringLiteral("c"));
        view->sortByColumn(1, Qt::AscendingOrder); // a 7, c 300, b 20000
        QCOMPARE(chosen.count(), 0);
        const auto cell = [&](int row, int column) {
            return view->visualRect(view->model()->index(row, column)).center();
        };
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, cell(2, 0));
        QCOMPARE(chosen.last()[0].value<QList<int>>(), QList<int>({0})); // of the drawing's table
        QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ControlModifier, cell(0, 1));
        QCOMPARE(chosen.last()[0].value<QList<int>>(), QList<int>({0, 1}));
        QCOMPARE(view->selectionModel()->selectedIndexes().size(), 2); // cells, as they are copied
        frame_->setChosenRows({0, 1});
        QCOMPARE(view->selectionModel()->selectedIndexes().size(), 2);
        const auto before = chosen.count();
        frame_->setChosenRows({});
        QVERIFY(!view->selectionModel()->hasSelection());
        QCOMPARE(chosen.count(), before);
    }

    void theChartsMenuNamesItAndCanDoEverything() {
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        frame_->setSeveral(true);
        QContextMenuEvent byKey(QContextMenuEvent::Keyboard, QPoint(5, 5),
                                frame_->chart()->mapToGlobal(QPoint(5, 5)));
        QApplication::sendEvent(frame_->chart(), &byKey);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QCOMPARE(menu->actions().front()->text(), QStringLiteral("Counting"));
        QSignalSpy exports(frame_.get(), &ChartFrame::exportRequested);
        QSignalSpy pages(frame_.get(), &ChartFrame::pageExportRequested);
        QSignalSpy copies(frame_.get(), &ChartFrame::copyRequested);
        QSignalSpy asked(frame_.get(), &ChartFrame::explanationRequested);
        for (QAction* action : menu->actions()) {
            if (action->isEnabled() && action->isVisible() && !action->isSeparator()) {
                action->trigger();
            }
        }
        menu->close();
        QCOMPARE(exports.count(), 4);
        QCOMPARE(pages.count(), 3);
        QCOMPARE(copies.count(), 1);
        QCOMPARE(asked.count(), 1);
        QVERIFY(frame_->isTableShown());
        QVERIFY(button("png")->toolTip().contains(QStringLiteral("Counting")));
        frame_->setTableShown(false);
        frame_->setEmpty(QStringLiteral("Nothing."));
        frame_->popUpMenu({});
        QVERIFY(!QApplication::activePopupWidget()); // nothing to take away
    }

    void buttonsAskForExports() {
        QSignalSpy exports(frame_.get(), &ChartFrame::exportRequested);
        QSignalSpy copies(frame_.get(), &ChartFrame::copyRequested);
        QVERIFY(!button("png")->isEnabled()); // nothing to take away yet
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        QStringList asked;
        for (const char* format : {"png", "svg", "pdf", "csv"}) {
            if (auto* below = frame_->findChild<QAction*>(QLatin1String(format))) {
                below->trigger(); // in the menu of the PNG button
            } else {
                QVERIFY(!button(format)->accessibleName().isEmpty());
                QTest::mouseClick(button(format), Qt::LeftButton, {}, QPoint(8, 8));
            }
            asked << exports.last()[0].toString();
        }
        QCOMPARE(asked, QStringList({"png", "svg", "pdf", "csv"}));
        QTest::mouseClick(button("copy"), Qt::LeftButton);
        QCOMPARE(copies.count(), 1);
    }

    void theTableTwinIsFilledWhenLookedAt() {
        auto drawing = std::make_shared<CountingDrawing>();
        frame_->setDrawing(drawing);
        QCOMPARE(drawing->tables, 0);
        QTest::mouseClick(button("table"), Qt::LeftButton);
        QVERIFY(frame_->isTableShown());
        QVERIFY(frame_->tableView()->isVisible());
        QCOMPARE(drawing->tables, 1);
        const QAbstractItemModel* model = frame_->tableView()->model();
        QAbstractItemModelTester tester(frame_->tableView()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model->rowCount(), 3);
        QCOMPARE(model->index(0, 1).data().toString(), QStringLiteral("20\u202f000"));
        QVERIFY(model->index(0, 1).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QTest::mouseClick(button("table"), Qt::LeftButton);
        QTest::mouseClick(button("table"), Qt::LeftButton);
        QCOMPARE(drawing->tables, 1);
        auto next = std::make_shared<CountingDrawing>();
        frame_->setDrawing(next); // stays on the table, now with the new numbers
        QVERIFY(frame_->isTableShown());
        QCOMPARE(next->tables, 1);
    }

    void cellsAreCopiedAsTabs() {
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        frame_->setTableShown(true);
        QTableView* view = frame_->tableView();
        view->setFocus();
        QTRY_VERIFY(view->hasFocus());
        view->selectAll();
        QTest::keySequence(view, QKeySequence::Copy);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("name\ttokens\nb\t20000\na\t7\nc\t300\n"));
    }

    void emptyOffersItsOneButton() {
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        frame_->setEmpty(QStringLiteral("Nothing is open."), QStringLiteral("Open folder"));
        QVERIFY(frame_->isEmpty());
        QVERIFY(!frame_->chart()->isVisible());
        QVERIFY(!button("png")->isEnabled());
        QSignalSpy asked(frame_.get(), &ChartFrame::emptyActionRequested);
        auto* action = frame_->findChild<QPushButton*>(QStringLiteral("emptyAction"));
        QVERIFY(action->isVisible());
        QTest::mouseClick(action, Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        frame_->setEmpty(QStringLiteral("Nothing in scope."));
        QVERIFY(!action->isVisible());
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        QVERIFY(!frame_->isEmpty() && frame_->chart()->isVisible());
    }

    void staleDimsUntilTheNextDrawing() {
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        const QImage fresh = frame_->grab().toImage();
        frame_->setStale(true);
        QVERIFY(frame_->isStale());
        QVERIFY(frame_->grab().toImage() != fresh);
        frame_->setDrawing(std::make_shared<CountingDrawing>());
        QVERIFY(!frame_->isStale());
        QCOMPARE(frame_->grab().toImage(), fresh);
    }

    void controlsHaveTheirPlace() {
        auto* control = new QPushButton(QStringLiteral("share"));
        frame_->controls()->addWidget(control);
        QTRY_VERIFY(control->isVisible());
        QVERIFY(control->geometry().top() > button("table")->geometry().bottom());
        QVERIFY(control->geometry().bottom() < frame_->chart()->mapTo(frame_.get(), QPoint()).y() + 1);
    }

    void bothThemesHaveIcons() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            frame_->setTheme(kind);
            QVERIFY(!button("copy")->icon().isNull());
            QVERIFY(!button("table")->icon().isNull());
        }
    }
};

QTEST_MAIN(ChartFrameTest)
#include "chart_frame_test.moc"
