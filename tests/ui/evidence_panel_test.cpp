// EvidencePanel: figures, place, and raw records that are whole, broken, huge, late or absent.
#include "ui/panel/evidence/evidence_panel.h"

#include "ui/panel/evidence/raw_record_view.h"
#include "ui/panel/part/elided_button.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace loadline;
using namespace loadline::ui;

namespace {

Evidence callEvidence(std::uint32_t line = 1204) {
    Evidence evidence;
    evidence.title = "API call 17";
    evidence.details = {
        {"Context", "2 310 tokens"}, {"  cache read", "2 264 tokens"}, {"Output", "≥ 412 tokens"}};
    evidence.path = "/logs/projects/alpha/alpha-1.jsonl";
    evidence.place = {3, {100, 20, line}};
    return evidence;
}

bool says(const QWidget& widget, const QString& text) {
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        if (label->isVisibleTo(&widget) && label->text().contains(text)) {
            return true;
        }
    }
    return false;
}

} // namespace

class EvidencePanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*"));
        qRegisterMetaType<EvidencePlace>();
    }

    void beginsEmptyAndSaysWhatToDo() {
        EvidencePanel panel;
        panel.show();
        QVERIFY(says(panel, "Click a bar"));
        panel.setEvidence(callEvidence());
        QVERIFY(!says(panel, "Click a bar"));
        panel.clear();
        QVERIFY(says(panel, "Click a bar"));
    }

    void showsFiguresAndAsksForTheRecordOnce() {
        EvidencePanel panel;
        panel.show();
        QSignalSpy spy(&panel, &EvidencePanel::rawRequested);
        panel.setEvidence(callEvidence());
        QVERIFY(says(panel, "2 310 tokens"));
        QVERIFY(says(panel, "cache read"));
        QVERIFY(says(panel, "API call 17"));
        QCOMPARE(spy.count(), 1);
        QVERIFY(spy.front().at(0).value<EvidencePlace>() == callEvidence().place);
        panel.setEvidence(callEvidence()); // the same record again
        QCOMPARE(spy.count(), 1);
        panel.setEvidence(callEvidence(7));
        QCOMPARE(spy.count(), 2);
    }

    void placeIsCopiedAndItsFolderOpened() {
        EvidencePanel panel;
        panel.show();
        panel.setEvidence(callEvidence());
        QSignalSpy spy(&panel, &EvidencePanel::openFolderRequested);
        QTest::mouseClick(panel.findChild<ElidedButton*>(), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), QString("/logs/projects/alpha/alpha-1.jsonl:1204"));
        for (QToolButton* button : panel.findChildren<QToolButton*>()) {
            if (button->accessibleName() == "Open the folder") {
                button->click();
            }
        }
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.front().at(0).toString(), QString("/logs/projects/alpha/alpha-1.jsonl"));
    }

    void rawIsPrettyAndALateOneIsIgnored() {
        EvidencePanel panel;
        panel.show();
        panel.setEvidence(callEvidence());
        auto* raw = panel.findChild<RawRecordView*>();
        QVERIFY(says(panel, "Reading"));
        panel.setRaw(callEvidence(1).place, "{\"late\":true}");
        QVERIFY(raw->shownText().isEmpty());
        panel.setRaw(callEvidence().place, "{\"a\":[1,\"é\"]}");
        QCOMPARE(raw->shownText(), QString::fromUtf8("{\n  \"a\": [\n    1,\n    \"é\"\n  ]\n}\n"));
        QVERIFY(!says(panel, "Reading"));
    }

    void brokenRecordsStandAsTheyAre() {
        EvidencePanel panel;
        panel.show();
        panel.setEvidence(callEvidence());
        panel.setRaw(callEvidence().place, "{\"a\": nope");
        QVERIFY(panel.findChild<RawRecordView*>()->shownText().contains("nope"));
        QVERIFY(says(panel, "not valid JSON"));
        panel.setRaw(callEvidence().place, "");
        QVERIFY(says(panel, "empty"));
    }

    void hugeRecordsAreFoldedAndCopiedWhole() {
        EvidencePanel panel;
        panel.show();
        panel.setEvidence(callEvidence());
        const std::string huge = "{\"content\":\"" + std::string(3'000'000, 'x') + "\",\"after\":1}";
        panel.setRaw(callEvidence().place, huge);
        auto* raw = panel.findChild<RawRecordView*>();
        QVERIFY(raw->shownText().size() < 1000);
        QVERIFY(raw->shownText().contains("characters"));
        QVERIFY(raw->shownText().contains("\"after\": 1"));
        for (QToolButton* button : panel.findChildren<QToolButton*>()) {
            if (button->text() == "Long strings") {
                button->click();
            }
            if (button->accessibleName() == "Copy the raw record") {
                button->click();
            }
        }
        QVERIFY(raw->shownText().size() > 10'000);
        QVERIFY(raw->shownText().size() < 300'000);
        QCOMPARE(QApplication::clipboard()->text().size(), static_cast<qsizetype>(huge.size()));
    }

    void absentRecordsSayWhy() {
        EvidencePanel panel;
        panel.show();
        panel.setEvidence(callEvidence());
        panel.setRawError(callEvidence(9).place, "another record");
        QVERIFY(!says(panel, "another record"));
        panel.setRawError(callEvidence().place, "The file is gone.");
        QVERIFY(says(panel, "The file is gone."));
        QVERIFY(!panel.findChild<QPlainTextEdit*>()->isVisibleTo(&panel));
        panel.setRaw(callEvidence().place, "{}"); // read again
        QVERIFY(panel.findChild<QPlainTextEdit*>()->isVisibleTo(&panel));
    }
};

QTEST_MAIN(EvidencePanelTest)
#include "evidence_panel_test.moc"
