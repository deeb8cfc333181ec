// Panels below the charts of a server's log: hypotheses and the raw log; and the form beside them.
#include "tests/ui/serverlog/made_up_log.h"
#include "ui/form/value_slider.h"
#include "ui/panel/serverlog/finding_list.h"
#include "ui/panel/serverlog/raw_log_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace loadline;
using namespace loadline::ui;

namespace {

std::shared_ptr<const LogVerdict> verdictOfMadeUp() {
    const auto figure = made_up::logFigure(made_up::logOf(6, 3));
    return {figure, &figure->verdict};
}

RawLines linesFrom(std::uint64_t first) {
    RawLines lines{0, first, {}};
    for (std::uint64_t i = 0; i < RawLogView::window; ++i) {
        lines.texts.push_back("text of " + std::to_string(first + i));
    }
    return lines;
}

/// The number of the line that stands on top of what is painted.
std::uint64_t topOf(const RawLogView& view) {
    const int block = view.edit()->cursorForPosition(QPoint(2, 2)).blockNumber();
    return view.lines().first + static_cast<std::uint64_t>(block);
}

LogLine wantedBy(QSignalSpy& spy) {
    return spy.takeLast().front().value<LogLine>();
}

} // namespace

class LogPanelsTest : public QObject {
    Q_OBJECT

private slots:

    void hypothesesAreRowsAndWhatToTryFollows() {
        FindingModel model;
        const QAbstractItemModelTester tester(&model);
        model.setVerdict(verdictOfMadeUp());
        QCOMPARE(model.rowCount(), 5);
        const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(text(0, 0), QStringLiteral("? not excluded"));
        QVERIFY(text(1, 0).endsWith("supported") && text(2, 0).endsWith(" excluded"));
        QVERIFY(text(1, 0).front() != text(2, 0).front()); // not by colour alone
        QCOMPARE(text(1, 1), QStringLiteral("The output's cap was reached"));
        QCOMPARE(text(1, 2), QStringLiteral("8 192 tokens."));
        QVERIFY(text(3, 0).contains("try next 1") && text(3, 1) == "Log the batch");
        QVERIFY(model.at(2) && !model.at(3));
        model.setVerdict(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void aChosenHypothesisIsTold() {
        FindingList list;
        list.resize(700, 300);
        list.setVerdict(verdictOfMadeUp());
        QStringList claims;
        connect(&list, &FindingList::findingChosen, &list, [&](const Finding& finding) {
            claims << QString::fromUtf8(finding.claim.data(), std::ssize(finding.claim));
        });
        list.selectRow(1);
        QTest::keyClick(&list, Qt::Key_Down);
        QCOMPARE(claims.size(), 2);
        QCOMPARE(claims.first(), QStringLiteral("The output's cap was reached"));
        list.setVerdict(verdictOfMadeUp()); // again, as after a slider's move
        QCOMPARE(claims.size(), 2);
        QCOMPARE(list.currentIndex().row(), 2);
        list.selectRow(3); // what to try has no lines
        QCOMPARE(claims.size(), 2);
    }

    void evidenceIsShownAmongItsNeighbours() {
        RawLogView view;
        view.resize(500, 240);
        view.show();
        view.setFiles({"/logs/server.log"});
        QSignalSpy wanted(&view, &RawLogView::linesWanted);
        view.setEvidence({{0, 1000}, {0, 1003}, {0, 9000}}, "claim");
        QCOMPARE(wantedBy(wanted), (LogLine{0, 800}));
        view.setLines(linesFrom(800));
        QVERIFY(view.edit()->toPlainText().contains("1000 text of 1000"));
        QVERIFY(view.edit()->toPlainText().contains(QStringLiteral("\u25B8    1003")));
        QVERIFY(!view.edit()->toPlainText().contains(QStringLiteral("\u25B8    1001")));
        const int top = view.edit()->verticalScrollBar()->value();
        QVERIFY(top > 180 && top <= 200);                                            // in the middle
        QCOMPARE(topOf(view), std::uint64_t{800} + static_cast<std::uint64_t>(top)); // of what is seen
        view.next()->click();
        QCOMPARE(view.line(), (LogLine{0, 1003}));
        QVERIFY(wanted.isEmpty()); // it is there
        view.next()->click();
        QCOMPARE(wantedBy(wanted), (LogLine{0, 8800}));
        QVERIFY(!view.next()->isEnabled() && view.previous()->isEnabled());
        view.setLines(linesFrom(8800));
        QVERIFY(topOf(view) > 8980 && topOf(view) <= 9000);
    }

    void whatNoLineSaysHasNone() {
        RawLogView view;
        view.resize(500, 240);
        view.show();
        view.setFiles({"/logs/server.log"});
        view.setEvidence({{0, 300}}, "claim");
        view.setLines(linesFrom(100));
        const auto titles = [&] {
            QStringList texts;
            for (const QLabel* label : view.findChildren<QLabel*>()) {
                texts << label->text();
            }
            return texts.join('|');
        };
        QVERIFY(titles().contains("server.log:300"));
        QVERIFY(!view.edit()->extraSelections().isEmpty());
        const std::uint64_t top = topOf(view);
        view.setEvidence({}, "another claim");
        QCOMPARE(topOf(view), top); // nothing jumps
        QVERIFY(!view.edit()->toPlainText().contains(QStringLiteral("\u25B8")));
        QCOMPARE(view.line(), LogLine());
        QVERIFY(view.edit()->extraSelections().isEmpty());
        QVERIFY2(titles().contains("No line says so") && !titles().contains("300"), qPrintable(titles()));
    }

    void neighboursComeWhereTheTextEnds() {
        RawLogView view;
        view.resize(500, 240);
        view.show();
        view.setFiles({"server.log"});
        QSignalSpy wanted(&view, &RawLogView::linesWanted);
        view.setEvidence({{0, 1000}}, "claim");
        view.setLines(linesFrom(800));
        wanted.clear();
        QScrollBar* bar = view.edit()->verticalScrollBar();
        bar->setValue(bar->maximum());
        const auto top = 800 + static_cast<std::uint64_t>(bar->value());
        QCOMPARE(wantedBy(wanted), (LogLine{0, 1000}));
        view.setLines(linesFrom(1000));
        QCOMPARE(1000 + static_cast<std::uint64_t>(bar->value()), top); // nothing jumps
        bar->setValue(0);
        QCOMPARE(wantedBy(wanted), (LogLine{0, 800}));
        view.setLines(linesFrom(800));
        QCOMPARE(800 + static_cast<std::uint64_t>(bar->value()), std::uint64_t{1000});
        RawLines end = linesFrom(800);
        end.texts.resize(30);
        view.setLines(end);
        wanted.clear();
        bar->setValue(bar->maximum());
        QVERIFY(wanted.isEmpty()); // the file ends there
    }

    void aClickedLineIsChosen() {
        RawLogView view;
        view.resize(500, 240);
        view.show();
        view.setFiles({"server.log"});
        view.setEvidence({{0, 3}}, "claim");
        view.setLines(linesFrom(1));
        QSignalSpy chosen(&view, &RawLogView::lineChosen);
        QTest::mouseClick(view.edit()->viewport(), Qt::LeftButton, {},
                          QPoint(20, view.edit()->fontMetrics().lineSpacing() * 5 / 2));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(wantedBy(chosen), view.line());
        QVERIFY(view.line().line >= 2 && view.line().line <= 4);
    }

    void whatALineSaysIsShownAsItIs() {
        RawLogView view;
        view.setFiles({"server.log"});
        view.setEvidence({{0, 1}}, "<b>claim</b>");
        view.setLines({0, 1, {"<b>bold</b> \x1b[31mred", ""}});
        QVERIFY(view.edit()->toPlainText().contains("<b>bold</b>"));
        QVERIFY(!view.edit()->toPlainText().contains(QChar(0x1b)));
        view.setError("It is gone.");
        QVERIFY(view.edit()->toPlainText().isEmpty());
    }
};

QTEST_MAIN(LogPanelsTest)
#include "log_panels_test.moc"
