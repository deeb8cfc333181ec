// Text of strangers in the window: tips, buttons, cells and labels show it as it is; nothing goes past them.
#include "ui/theme/plain_text.h"

#include "ui/model/table_model.h"

#include <QAction>
#include <QDirIterator>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QTextDocument>

#include <memory>

using namespace loadline;
using namespace loadline::ui;

namespace {

/// What a reader sees of a tooltip's text.
QString seen(const QString& tip) {
    if (!Qt::mightBeRichText(tip)) {
        return tip;
    }
    QTextDocument document;
    document.setHtml(tip);
    return document.toPlainText();
}

/// Lines of the sources that hold what only plain_text.cpp may call.
QStringList linesThatHold(const QRegularExpression& what, const QStringList& but) {
    QStringList found;
    int files = 0;
    for (const char* room : {"ui", "app"}) {
        QDirIterator sources(QStringLiteral(LOADLINE_TEST_DATA "/../../") + room, {"*.cpp", "*.h"},
                             QDir::Files, QDirIterator::Subdirectories);
        while (sources.hasNext()) {
            QFile file(sources.next());
            if (but.contains(sources.fileName()) || !file.open(QIODevice::ReadOnly)) {
                continue;
            }
            ++files;
            for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n')) {
                if (what.match(line).hasMatch()) {
                    found << sources.fileName() + ": " + line.trimmed();
                }
            }
        }
    }
    return files > 100 ? found : QStringList{"the sources were not found"};
}

} // namespace

class PlainTextTest : public QObject {
    Q_OBJECT

private slots:
    void tipsShowWhatTheyAreGiven() {
        for (const char* text :
             {"plain", "", "a\nb", "1 < 2 > 0", "<h1>big</h1>", "<img src=\"/dev/zero\">", "&lt;b&gt; &amp;",
              "<?xml version=\"1.0\"?><b>x</b>", "<!DOCTYPE html><p>", "  <b>x</b>", "C:\\new <i>"}) {
            const QString tip = Tip(QString::fromUtf8(text)).text();
            QCOMPARE(seen(tip), QString::fromUtf8(text));
        }
        QCOMPARE(Tip(QStringLiteral("plain")).text(), QStringLiteral("plain")); // no markup without need
    }

    void tipsAreBoundedAndTheirLinesBroken() {
        const QString endless = Tip(QString(1 << 20, u'x')).text();
        QVERIFY(endless.size() < 4000 && endless.endsWith(u'…'));
        const QString words = Tip(QString(QStringLiteral("many words ")).repeated(100)).text();
        for (const QString& line : (endless + u'\n' + words).split(u'\n')) {
            QVERIFY(line.size() <= 121);
        }
        QCOMPARE(words.simplified(), QString(QStringLiteral("many words ")).repeated(100).simplified());
        QVERIFY(Tip(QString(5000, u'\n')).text().count(u'\n') < 50);
        QCOMPARE(Tip(QString(300, QChar(0xD83D))).text().count(QChar(0xD83D)), 0); // half characters
    }

    void whatIsHiddenShows() {
        QCOMPARE(Tip(QStringLiteral("a\x1b[2J\u202e")).text(), QStringLiteral("a\\x1b[2J\\u202e"));
        QCOMPARE(lineText(QStringLiteral("a\nb\u009b")), QStringLiteral("a\\nb\\u009b"));
        QCOMPARE(lineText(std::string_view("\xff")), QStringLiteral("\\xff"));
        QCOMPARE(linesText(QStringLiteral("a\n\u2066")), QStringLiteral("a\n\\u2066"));
        QCOMPARE(lineText(QStringLiteral("abcd"), 3), QStringLiteral("abc…"));
        QCOMPARE(lineText(QStringLiteral("😀😀😀"), 3), QStringLiteral("😀😀😀"));
    }

    void tablesAreOursWordsAreNot() {
        const QString tip = Tip::table(QStringLiteral("<i>h"),
                                       {{QStringLiteral("a<b>"), QStringLiteral("<img src=x>\n\x1b")}})
                                .text();
        QVERIFY(tip.contains("<b>&lt;i&gt;h</b>"));
        QVERIFY(tip.contains("a&lt;b&gt;"));
        QVERIFY(tip.contains("&lt;img src=x&gt;<br>\\x1b"));
    }

    void buttonsTakeNoKeys() {
        const QPushButton button(buttonText(QStringLiteral("rock && &roll\n")));
        QCOMPARE(button.text(), QStringLiteral("rock &&&& &&roll\\n"));
        QVERIFY(button.shortcut().isEmpty());
    }

    void cellsAreOneLine() {
        TableModel model;
        const std::string name = "<img src=/dev/zero>\n\x1b[1m\xff";
        model.setTable(Table{{"name"}, {{name}}});
        const QModelIndex cell = model.index(0, 0);
        QCOMPARE(cell.data().toString(), QStringLiteral("<img src=/dev/zero>\\n\\x1b[1m\uFFFD"));
        QCOMPARE(seen(cell.data(Qt::ToolTipRole).toString()),
                 QStringLiteral("<img src=/dev/zero>\n\\x1b[1m\uFFFD"));
        QCOMPARE(cell.data(ExactRole).toString(), QString::fromStdString(name)); // copied as it is
        model.setTable(Table{{"name"}, {{std::string(1 << 20, 'x')}}});
        QVERIFY(model.index(0, 0).data().toString().size() < 2000);
        QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().size() < 5000);
    }

    void labelsStayPlain() {
        auto* application = static_cast<QApplication*>(QCoreApplication::instance());
        keepLabelsPlain(*application);
        keepLabelsPlain(*application);
        QLabel label(QStringLiteral("<h1>no heading</h1>"));
        label.ensurePolished();
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QLabel ours(QStringLiteral("<b>ours</b>"));
        ours.setTextFormat(Qt::RichText);
        ours.ensurePolished();
        QCOMPARE(ours.textFormat(), Qt::RichText);
        QMessageBox box(QMessageBox::NoIcon, {}, QStringLiteral("<h1>no heading</h1>"));
        box.ensurePolished();
        box.adjustSize();
        for (QLabel* part : box.findChildren<QLabel*>()) {
            part->ensurePolished();
            QVERIFY(part->textFormat() != Qt::AutoText);
        }
    }

    /// Who adds a tooltip somewhere else finds out here: setTip, setItemTip, showTip, or a model's cell().
    void nothingElseSetsATooltip() {
        const QStringList found =
            linesThatHold(QRegularExpression(QStringLiteral(
                              "setToolTip\\(|QToolTip::showText|QToolTip::setText|setWhatsThis")),
                          {"plain_text.cpp"});
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
        for (const QString& line : linesThatHold(QRegularExpression(QStringLiteral("ToolTipRole")),
                                                 {"plain_text.cpp", "plain_model.h"})) {
            const QString name = line.section(u':', 0, 0);
            QVERIFY2(line.contains("case Qt::ToolTipRole:") || line.contains("role == Qt::ToolTipRole"),
                     qPrintable(line));
            QVERIFY2(name.endsWith("_model.cpp") || name == "profile_list.cpp", qPrintable(line));
        }
        // Models are PlainModels: nothing else says what a cell shows.
        const QStringList models = linesThatHold(
            QRegularExpression(QStringLiteral("QVariant data\\(|public QAbstract\\w*Model|QStandardItem\\(")),
            {"plain_model.h"});
        QVERIFY2(models.isEmpty(), qPrintable(models.join(u'\n')));
    }

    void nothingElseIsMarkup() {
        const QStringList found = linesThatHold(
            QRegularExpression(QStringLiteral("setHtml|insertHtml|appendHtml|setMarkdown|toHtml\\(")), {});
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
        // The manual alone: pages of the program's own resources.
        const QStringList browsers = linesThatHold(
            QRegularExpression(QStringLiteral("QTextBrowser|MarkdownResource")), {"manual_window.cpp"});
        QVERIFY2(browsers.isEmpty(), qPrintable(browsers.join(u'\n')));
        const QStringList rich = linesThatHold(QRegularExpression(QStringLiteral("Qt::RichText")), {});
        QVERIFY2(rich.size() <= 3, qPrintable(rich.join(u'\n'))); // the point's facts, a swatch, About
    }
};

QTEST_MAIN(PlainTextTest)
#include "plain_text_test.moc"
