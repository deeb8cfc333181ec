// The first sentence is the answer, whatever numbers and titles it quotes.
#include "ui/chart/answer.h"

#include <QTest>

using namespace loadline::ui;

class AnswerTest : public QObject {
    Q_OBJECT

private slots:
    void splits_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("rest");
        const auto row = [](const char* name, const char* first, const char* rest) {
            const QString joined = QString::fromUtf8(first) + (*rest ? QStringLiteral(" ") : QString()) +
                                   QString::fromUtf8(rest);
            QTest::newRow(name) << joined << QString::fromUtf8(first) << QString::fromUtf8(rest);
        };
        row("empty", "", "");
        row("one", "Half of 9 turns add 5 tokens.", "");
        row("two", "The mean is 4.49 k.", "Output: half give 3.");
        row("decimals", "95.0 % of 1.2 M.", "Each was read 19.5 times. So it is.");
        row("quoted", "Most: “Fix it. Then test. Done.”, 11.5 %.", "Hit rate 98 %.");
        row("brackets", "All (or so. Nearly) of it.", "Rest.");
        row("no end", "No end", "");
    }

    void splits() {
        QFETCH(const QString, text);
        QFETCH(const QString, first);
        QFETCH(const QString, rest);
        const auto plain = [](QString shown) { return shown.replace(QChar(QChar::Nbsp), u' '); };
        QCOMPARE(plain(answerOf(text).first), first);
        QCOMPARE(plain(answerOf(text).rest), rest);
    }

    void aLongSentenceIsSplitBetweenClauses() {
        const QString words = QStringLiteral("word ").repeated(9).trimmed();
        const QString text = words + "; " + words + ", " + words + ": rest (a, b). Next one.";
        const Answer answer = answerOf(text);
        QCOMPARE(answer.first, words + "; " + words + '.');
        QCOMPARE(answer.rest, QString(words).replace(0, 1, 'W') + ": rest (a, b). Next one.");
        const QString unbroken = QStringLiteral("word ").repeated(30).trimmed() + '.';
        QCOMPARE(answerOf(unbroken).first, unbroken);
    }

    void everySentenceIsOneOfAList() {
        QCOMPARE(sentencesIn(QStringLiteral("One. Two, 1.5 M. “Three. Not four.” No end")),
                 QStringList({"One.", "Two, 1.5 M.", "“Three. Not four.” No end"}));
        QVERIFY(sentencesIn({}).isEmpty());
    }

    void numbersKeepTheirUnits() {
        const QString shown = answerOf(QStringLiteral("95 % of 3 M in 2 min, ≥ 3 or 4 models")).first;
        QCOMPARE(shown, QStringLiteral("95\u00a0% of 3\u00a0M in 2\u00a0min, ≥\u00a03 or 4 models"));
    }
};

QTEST_GUILESS_MAIN(AnswerTest)
#include "answer_test.moc"
