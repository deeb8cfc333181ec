// Words to an ini file and back, and what QSettings wrote before.
#include "app/files/ini.h"

#include <QRandomGenerator>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace loadline;
using namespace loadline::app;

class IniTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

private slots:
    void wordsComeBack() {
        const Ini ini = {
            {"a/empty", {}},
            {"a/blank", {""}},
            {"a/one", {"word"}},
            {"b/many",
             {"a b", "c,d", " e ", "\"f\"", "g\\h", "=;#[]", "\xc3\xa4\xe4\xb8\xad", "@Size(1 2)", "@@x"}},
            {"b/odd", {QString("a\nb\tc\x1b") + QChar(0), "\u202e", "-1", "1.5e-3"}},
            {"c/list", {"", "", "x"}},
        };
        QCOMPARE(iniFrom(iniText(ini)), ini);
        QCOMPARE(iniText(iniFrom(iniText(ini))), iniText(ini));
    }

    void filesOfQSettingsAreRead() {
        const QString path = folder_.filePath("old.ini");
        const QStringList words = {"--users",
                                   "33",
                                   "/data/a trace, with commas.csv",
                                   "\u00e4\u4e2d",
                                   "say \"x\"",
                                   "a\\b",
                                   "@Variant",
                                   "  blanks  ",
                                   "semi;colon",
                                   "\x01"
                                   "7"};
        {
            QSettings old(path, QSettings::IniFormat);
            old.setValue("simulation/request", words);
            old.setValue("files/last", QStringList{"/only one"});
            old.setValue("files/recent", QStringList{});
            old.setValue("export/scale", 2.5);
            old.setValue("kernels/k", 4);
            old.setValue("window/theme", "dark");
        }
        const Result<Ini> read = readIni(path);
        QVERIFY(read);
        QCOMPARE(read->at("simulation/request"), words);
        QCOMPARE(read->at("files/last"), QStringList{"/only one"});
        QCOMPARE(read->at("files/recent"), QStringList{});
        QCOMPARE(read->at("export/scale"), QStringList{"2.5"});
        QCOMPARE(read->at("kernels/k"), QStringList{"4"});
        QCOMPARE(read->at("window/theme"), QStringList{"dark"});
    }

    void anyBytesAreRead() {
        QRandomGenerator random(7);
        for (int round = 0; round < 2000; ++round) {
            QByteArray text = "[a]\nb=";
            for (int i = 0; i < 40; ++i) {
                text += "\\\",x0@ \n[]="[random.bounded(12)];
                text += static_cast<char>(random.bounded(256));
            }
            const Ini once = iniFrom(text);
            QVERIFY(once.size() < 50);
        }
    }
};

QTEST_GUILESS_MAIN(IniTest)
#include "ini_test.moc"
