// The composition's numbers and its chart by hand: parts, fitting rows, days, hover, keys, scrolling.
#include "ui/chart/composition/composition_chart.h"

#include "tests/ui/chart/painted_words.h"
#include "tests/ui/chart_fixtures.h"
#include "ui/chart/composition/composition_rows.h"
#include "ui/chart/drawings.h"
#include "ui/theme/elided_model.h"

#include <QImage>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

class CompositionChartTest : public QObject {
    Q_OBJECT

    std::unique_ptr<CompositionChart> chart_;

    void show(const std::shared_ptr<const Composition>& composition) {
        chart_ = std::make_unique<CompositionChart>();
        chart_->resize(900, 400);
        chart_->setComposition(composition);
        chart_->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart_.get()));
    }

    [[nodiscard]] QPoint middleOf(int row) const { return chart_->rowRect(row).center().toPoint(); }

private slots:
    void columnsGiveWayInTheOrderOfTheirWorth() {
        const auto figure = fixtures::composition();
        std::vector<int> fewest{0, 1, 2, 3};
        for (int width = 900; width >= 200; width -= 20) {
            const RowsLayout layout =
                layOutRows(QSizeF(width, 300), *figure, figure->rows, CompositionView{false, false});
            std::vector<int> values;
            for (const RowsLayout::Column& column : layout.columns) {
                values.push_back(column.value);
            }
            QCOMPARE(values.front(), 0); // how many tokens, to the last
            QVERIFY(values.size() <= fewest.size());
            if (values.size() > 1) {
                QCOMPARE(values[1], 1); // then the hit rate of tokens
            }
            fewest = values;
        }
        QCOMPARE(fewest, std::vector<int>{0});
    }

    void columnsComeCloserBeforeOneGoes() {
        Composition figure = *fixtures::composition();
        figure.rows.front().label = std::string(80, 'n'); // takes all that a name may have
        const auto columnsAt = [&](double width) {
            return layOutRows(QSizeF(width, 300), figure, figure.rows, CompositionView{false, false});
        };
        double width = 900;
        while (columnsAt(width).columns.size() == 4) {
            width -= 5;
        }
        const RowsLayout narrow = columnsAt(width + 5);
        const RowsLayout wide = columnsAt(900);
        QCOMPARE(wide.labelRight, 0.3 * 900);
        QVERIFY(narrow.labelRight < 0.3 * (width + 5) - 1);
        QVERIFY(narrow.columns[1].width < wide.columns[1].width);
        QVERIFY(narrow.barRight - narrow.barLeft >= 139);
    }

    void whatIsToldHidesNoRow() {
        const QRectF bounds(0, 0, 600, 300);
        const QRectF row(0, 60, 600, 20);
        QCOMPARE(roomBeside(100, row, 150, bounds), QRectF(0, 150, 600, 150)); // below all rows
        QCOMPARE(roomBeside(100, row.translated(0, 150), 300, bounds), QRectF(0, 0, 600, 210)); // above
        QCOMPARE(roomBeside(100, row, 300, bounds), QRectF(0, 80, 600, 220));                   // below
        QCOMPARE(roomBeside(100, row, 900, QRectF(0, 0, 600, 150)), QRectF(0, 80, 600, 70)); // where more is
    }

    void aChosenRowComesIntoView() {
        Composition many = *fixtures::composition();
        many.group = CompositionGroup::Session;
        many.rows.clear();
        for (int i = 0; i < 80; ++i) {
            const std::string key = "k" + std::to_string(i);
            many.rows.push_back(fixtures::row(key.c_str(), "l", 600, 200, 100, 100, 50));
        }
        const auto figure = std::make_shared<const Composition>(std::move(many));
        const auto shows = [&](int row) {
            return chart_->viewport()->rect().contains(chart_->rowRect(row).center().toPoint());
        };
        show(figure);
        QVERIFY(!shows(70));
        chart_->setChosen({"k70"});
        QVERIFY(shows(70));
        chart_->verticalScrollBar()->setValue(0);
        chart_->setChosen({"k70"}); // again: nobody is taken away from where he looks
        QVERIFY(!shows(70));
        chart_->setChosen({"k1", "k70"});
        QCOMPARE(chart_->verticalScrollBar()->value(), 0);
        chart_ = std::make_unique<CompositionChart>();
        chart_->resize(900, 400);
        chart_->setChosen({"k70"}); // before there is anything, as after a restart
        chart_->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart_.get()));
        chart_->setComposition(figure);
        QVERIFY(shows(70));
    }

    void init() { QTest::failOnWarning(fixtures::unexpectedWarnings()); }

    void cleanup() { chart_.reset(); }

    void partsFollowTheTokens() {
        const CompositionRow row = fixtures::row("k", "l", 600, 200, 100, 100, 50);
        const auto tokens = partsOf(row, {.shares = false});
        QCOMPARE(tokens.size(), std::size_t{5});
        const TokenPart order[] = {TokenPart::CacheRead, TokenPart::CacheWrite, TokenPart::UncachedInput,
                                   TokenPart::Output, TokenPart::Output};
        const double amounts[] = {600, 200, 100, 50, 50};
        double sum = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(tokens[i].part, order[i]);
            QCOMPARE(tokens[i].from, sum);
            QCOMPARE(tokens[i].amount(), amounts[i]);
            QCOMPARE(tokens[i].lowerBound, i == 4);
            sum += amounts[i];
        }
        const auto shares = partsOf(row, {});
        QCOMPARE(shares.back().to, 1.0);
        QCOMPARE(shares[0].to, 0.6);
        const auto perRequest = partsOf(row, {.perRequest = true});
        QCOMPARE(perRequest.size(), std::size_t{3});
        QCOMPARE(perRequest[1].part, TokenPart::NewInput);
        QCOMPARE(perRequest[1].amount(), 0.4);
        QVERIFY(perRequest[2].lowerBound);
        QVERIFY(partsOf(CompositionRow{}, {}).empty());
    }

    void restOfTheRowsIsOneRow() {
        const auto composition = fixtures::composition(40);
        QCOMPARE(fitRows(*composition, 40).others, std::size_t{0});
        const FittedRows fitted = fitRows(*composition, 10);
        QCOMPARE(fitted.rows.size(), std::size_t{10});
        QCOMPARE(fitted.others, std::size_t{31});
        QCOMPARE(fitted.rows.back().label, std::string("31 other projects"));
        UsageTotals sum;
        for (const CompositionRow& row : fitted.rows) {
            sum += row.totals;
        }
        QCOMPARE(sum, composition->all.totals);
        QCOMPARE(fitted.rows.back().readWriteRatio, 3.0);
        QCOMPARE(fitRows(*composition, 0).rows.size(), std::size_t{1});
    }

    void theRestOfTheRowsDoesNotDwarfThem() {
        const auto composition = fixtures::composition(40);
        const CompositionView tokens{.perRequest = false, .shares = false};
        QVERIFY(othersDwarf(fitRows(*composition, 10), tokens));
        QVERIFY(!othersDwarf(fitRows(*composition, 10), CompositionView{}));
        QVERIFY(!othersDwarf(fitRows(*composition, 40), tokens));
        QVERIFY(!othersDwarf(fitRows(*composition, 1), tokens));

        QImage image(900, 300, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        drawingOf(composition, tokens)->paint(painter, QRectF(image.rect()), Theme::light());
        painter.end();
        const auto inked = [&](const QColor& colour) { // the longest bar
            int most = 0;
            for (int y = 0; y < image.height(); ++y) {
                int n = 0;
                for (int x = 0; x < image.width(); ++x) {
                    n += image.pixelColor(x, y) == colour ? 1 : 0;
                }
                most = std::max(most, n);
            }
            return most;
        };
        QVERIFY2(inked(Theme::light().cacheRead) > 100, "the largest row fills what the rest would have");
    }

    void modelsKeepTheirVersionsWhereRoomIsShort() {
        const QFontMetricsF metrics(smallFont());
        const auto cut = [&](const char* name, const char* room) {
            return elidedModel(metrics, QLatin1String(name), metrics.horizontalAdvance(QLatin1String(room)));
        };
        QCOMPARE(cut("opus-4-5", "opus-4-5"), QStringLiteral("opus-4-5"));
        for (const char* room : {"opus-4-", "opus-4", "mm4-5"}) {
            QVERIFY2(cut("opus-4-5", room).endsWith(QStringLiteral("…4-5")),
                     qPrintable(cut("opus-4-5", room)));
            QVERIFY(metrics.horizontalAdvance(cut("opus-4-5", room)) <=
                    metrics.horizontalAdvance(QLatin1String(room)));
        }
        QVERIFY(cut("sonnet-4-5  +2", "sonnet-4-5").endsWith(QStringLiteral("…4-5  +2")));
        QVERIFY(cut("one-without-a-version", "one-without").contains(u'…'));
        QVERIFY(cut("one-without-a-version", "one-without").endsWith(u'n'));

        Composition figure = *fixtures::composition(2);
        figure.group = CompositionGroup::Model;
        figure.rows[0].label = "a-family-of-models-4-5";
        figure.rows[1].label = "a-family-of-models-4-6";
        const QStringList words = fixtures::paintedWords({300, 300}, [&](QPainter& painter) {
            drawingOf(std::make_shared<const Composition>(figure), CompositionView{})
                ->paint(painter, QRectF(0, 0, 300, 300), Theme::light());
        });
        for (const char* version : {"4-5", "4-6"}) {
            QVERIFY2(
                words.filter(QRegularExpression(QStringLiteral("…%1$").arg(QLatin1String(version)))).size() ==
                    1,
                qPrintable(words.join(u'|')));
        }
    }

    void daysHaveTheirPlaceInTheCalendar() {
        const DayAxis axis = dayAxisOf(*fixtures::days());
        QCOMPARE(axis.first, QDate(2026, 1, 20));
        QCOMPARE(axis.slotOf, (std::vector<int>{0, 2, 3}));
        QCOMPARE(axis.count, 4);
        QCOMPARE(dayAxisOf(Composition{}).count, 0);
    }

    void ratiosInWords() {
        QCOMPARE(ratioText(std::numeric_limits<double>::infinity()), QStringLiteral("no writes"));
        QCOMPARE(ratioText(0), QStringLiteral("–"));
        QCOMPARE(ratioText(34.23), QStringLiteral("34.2"));
        QCOMPARE(ratioText(19), QStringLiteral("19.0")); // as many digits in each row of the column
        QCOMPARE(ratioText(7.87), QStringLiteral("7.9"));
    }

    void hoverTellsExactNumbers() {
        show(fixtures::composition());
        QSignalSpy hovered(chart_.get(), &CompositionChart::rowHovered);
        QTest::mouseMove(chart_->viewport(), middleOf(1));
        QTRY_COMPARE(hovered.count(), 1);
        const QString text = hovered[0][0].toString();
        QVERIFY2(text.startsWith(QStringLiteral("project 1: cache read 12\u202f000 (60.0 %)")),
                 qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("output ≥ 2\u202f000")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("66.7 % of tokens, 55.0 % per request")), qPrintable(text));
        QTest::mouseMove(chart_->viewport(), QPoint(5, 5));
        QTRY_COMPARE(hovered.last()[0].toString(), QString());
    }

    void rowsAreActivatedByHandAndKey() {
        show(fixtures::composition());
        QSignalSpy activated(chart_.get(), &CompositionChart::rowActivated);
        QTest::mouseDClick(chart_->viewport(), Qt::LeftButton, {}, middleOf(2));
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated[0][0].toString(), QStringLiteral("key2"));
        chart_->clearFocus();
        chart_->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(chart_->hasFocus());
        QCOMPARE(chart_->currentRow(), 0);
        QTest::keyClick(chart_.get(), Qt::Key_Down);
        QTest::keyClick(chart_.get(), Qt::Key_Return);
        QCOMPARE(activated.last()[0].toString(), QStringLiteral("key1"));
        QTest::keyClick(chart_.get(), Qt::Key_End);
        QTest::keyClick(chart_.get(), Qt::Key_Down);
        QCOMPARE(chart_->currentRow(), 2);
        QTest::mouseDClick(chart_->viewport(), Qt::LeftButton, {}, QPoint(5, 5)); // the head is no row
        QCOMPARE(activated.count(), 2);
    }

    void aClickSelectsRowsAndSaysWhich() {
        show(fixtures::composition(5));
        QSignalSpy chosen(chart_.get(), &CompositionChart::rowsChosen);
        QSignalSpy activated(chart_.get(), &CompositionChart::rowActivated);
        const auto click = [&](int row, Qt::KeyboardModifiers keys = {}) {
            QTest::mouseClick(chart_->viewport(), Qt::LeftButton, keys, middleOf(row));
            return chosen.isEmpty() ? QStringList() : chosen.last()[0].toStringList();
        };
        QCOMPARE(click(3), QStringList({"key3"}));
        QCOMPARE(click(1, Qt::ControlModifier), QStringList({"key1", "key3"}));
        QCOMPARE(click(3, Qt::ControlModifier), QStringList({"key1"}));
        QCOMPARE(click(1), QStringList({"key1"}));
        QCOMPARE(click(4, Qt::ShiftModifier), QStringList({"key1", "key2", "key3", "key4"}));
        QTest::keyClick(chart_.get(), Qt::Key_Escape);
        QCOMPARE(chosen.last()[0].toStringList(), QStringList());
        const auto before = chosen.count();
        chart_->setChosen({"key2"}); // not by hand
        QCOMPARE(chosen.count(), before);
        const auto marked = chart_->grab().toImage();
        chart_->setChosen({});
        QVERIFY(chart_->grab().toImage() != marked);
        chart_->setCurrentRow(2);
        QTest::keyClick(chart_.get(), Qt::Key_Space);
        QCOMPARE(chosen.last()[0].toStringList(), QStringList({"key2"}));
        QCOMPARE(activated.count(), 0);
    }

    void aColumnsHeadAsksForAnOrder() {
        show(fixtures::composition());
        QSignalSpy orders(chart_.get(), &CompositionChart::orderChosen);
        const RowsLayout layout = layOutRows(QSizeF(chart_->viewport()->width() - 24, 384),
                                             *fixtures::composition(), fixtures::composition()->rows, {});
        const auto head = [&](double x) {
            QTest::mouseClick(
                chart_->viewport(), Qt::LeftButton, {},
                QPoint(static_cast<int>(x) + 12, static_cast<int>(layout.heads.center().y()) + 8));
        };
        head(layout.columns[1].right - 8);
        QCOMPARE(orders.count(), 0); // the page does not sort
        chart_->setSortable(true);
        for (std::size_t i = 0; i < layout.columns.size(); ++i) {
            head(layout.columns[i].right - 8);
            QCOMPARE(orders.last()[0].value<CompositionOrder>(), orderOf(layout.columns[i]));
        }
        head(5);
        QCOMPARE(orders.last()[0].value<CompositionOrder>(), CompositionOrder::Name);
        QCOMPARE(orders.count(), static_cast<int>(layout.columns.size()) + 1);
        const auto usual = chart_->grab().toImage();
        chart_->setView({.order = CompositionOrder::HitRate});
        QVERIFY(chart_->grab().toImage() != usual); // marked at its column
    }

    void manyRowsScroll() {
        show(fixtures::composition(200));
        QVERIFY(chart_->verticalScrollBar()->maximum() > 0);
        chart_->clearFocus();
        chart_->setFocus(Qt::TabFocusReason);
        QTest::keyClick(chart_.get(), Qt::Key_End);
        QCOMPARE(chart_->currentRow(), 199);
        QVERIFY(QRectF(chart_->viewport()->rect()).contains(chart_->rowRect(199)));
        QTest::keyClick(chart_.get(), Qt::Key_Home);
        QCOMPARE(chart_->verticalScrollBar()->value(), 0);
        QTest::keyClick(chart_.get(), Qt::Key_PageDown);
        QVERIFY(chart_->currentRow() > 3);
    }

    void daysStandSideBySideAndScroll() {
        show(fixtures::days());
        QVERIFY(chart_->rowRect(0).right() < chart_->rowRect(1).left()); // a day without calls between
        QCOMPARE(chart_->rowRect(1).right(), chart_->rowRect(2).left());
        QSignalSpy activated(chart_.get(), &CompositionChart::rowActivated);
        QTest::mouseDClick(chart_->viewport(), Qt::LeftButton, {}, middleOf(1));
        QCOMPARE(activated[0][0].toString(), QStringLiteral("2026-01-22"));
        auto older = std::make_shared<Composition>(*fixtures::days());
        older->rows[0].key = "2024-01-20";
        chart_->setComposition(older);
        QScrollBar* const bar = chart_->horizontalScrollBar();
        QVERIFY(bar->maximum() > 0);
        QCOMPARE(bar->value(), bar->maximum()); // the newest days, and they stay in sight
        auto oldest = std::make_shared<Composition>(*older);
        oldest->rows[0].key = "2023-01-20";
        const int before = bar->maximum();
        chart_->setComposition(oldest);
        QVERIFY(bar->maximum() > before);
        QCOMPARE(bar->value(), bar->maximum());
        chart_->resize(chart_->width() + 60, chart_->height());
        QCOMPARE(bar->value(), bar->maximum());
        bar->setValue(bar->maximum() / 2); // but where one has scrolled to stays, too
        const int middle = bar->value();
        chart_->setComposition(older);
        chart_->setComposition(oldest);
        QCOMPARE(bar->value(), middle);
        chart_->clearFocus();
        chart_->setFocus(Qt::TabFocusReason);
        QTest::keyClick(chart_.get(), Qt::Key_Home);
        QCOMPARE(chart_->horizontalScrollBar()->value(), 0);
        QTest::keyClick(chart_.get(), Qt::Key_PageDown);
        QCOMPARE(chart_->currentRow(), 2);
    }

    void nothingAndThemesPaint() {
        show(nullptr);
        for (const auto& composition : {std::shared_ptr<Composition>(), std::make_shared<Composition>()}) {
            chart_->setComposition(composition);
            chart_->setTheme(ThemeKind::Dark);
            QCOMPARE(chart_->grab().toImage().pixelColor(2, 2), Theme::dark().plotGround);
            QTest::keyClick(chart_.get(), Qt::Key_Down);
            QTest::mouseClick(chart_->viewport(), Qt::LeftButton, {}, QPoint(100, 100));
            QCOMPARE(chart_->currentRow(), -1);
        }
    }
};

QTEST_MAIN(CompositionChartTest)
#include "composition_chart_test.moc"
