// Small parts that say that there is more: a cut field, what scrolls.
#include "tests/ui/chart_fixtures.h"
#include "ui/chart/frame/more_below.h"
#include "ui/panel/part/elided_edit.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>

using namespace loadline::ui;

class FramePartsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(fixtures::unexpectedWarnings()); }

    void aFieldThatIsTooNarrowSaysSo() {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* other = new QLineEdit;
        auto* field = new ElidedEdit;
        column->addWidget(other);
        column->addWidget(field);
        field->setHelp("Fastest first");
        field->setText("HBM:434:26800:0.5");
        window.resize(400, 100);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        other->setFocus();
        QCOMPARE(field->shownText(), field->text());
        QCOMPARE(field->toolTip(), QString("Fastest first"));
        const QString all = QString("HBM:434:26800:0.5,host:2000:450:10,").repeated(5);
        field->setText(all);
        QVERIFY(field->shownText().endsWith(QChar(0x2026)) && field->shownText().startsWith("HBM:434"));
        QVERIFY(field->fontMetrics().horizontalAdvance(field->shownText()) < field->width());
        QVERIFY(field->toolTip().contains("host:2000:450:10") && field->toolTip().contains("Fastest first"));
        const QImage elided = field->grab().toImage();
        window.activateWindow();
        field->setFocus();
        QVERIFY(QTest::qWaitFor([&] { return field->hasFocus(); }, 5'000));
        QCOMPARE(field->shownText(), all); // while it is edited
        QVERIFY(field->grab().toImage() != elided);
    }

    void whatIsBelowIsTold() {
        QScrollArea area;
        auto* content = new QWidget;
        content->setMinimumSize(200, 1000);
        area.setWidgetResizable(true);
        area.setWidget(content);
        auto* more = new MoreBelow(&area);
        area.resize(300, 400);
        area.show();
        QVERIFY(QTest::qWaitForWindowExposed(&area));
        QVERIFY(more->isVisible() && area.rect().contains(more->geometry()));
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(area.verticalScrollBar()->value() > 300);
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(!more->isVisible()); // the end is there
        area.verticalScrollBar()->setValue(0);
        QVERIFY(more->isVisible());
        area.resize(300, 1010);
        QVERIFY(QTest::qWaitFor([&] { return !more->isVisible(); }, 5'000));
    }
};

QTEST_MAIN(FramePartsTest)
#include "frame_parts_test.moc"
