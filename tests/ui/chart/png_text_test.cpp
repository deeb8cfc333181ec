// Texts in PNG files: every kind of chunk, cut, damaged, and made to fill the memory.
#include "ui/chart/png_text.h"

#include <QBuffer>
#include <QTest>
#include <QtEndian>

using loadline::ui::textInPng;

namespace {

QByteArray bigEndian(qsizetype number) {
    QByteArray bytes(4, '\0');
    qToBigEndian<quint32>(static_cast<quint32>(number), bytes.data());
    return bytes;
}

QByteArray chunk(const char* type, const QByteArray& data) {
    return bigEndian(data.size()) + type + data + bigEndian(0);
}

QString textOf(const QByteArray& chunks) {
    QByteArray png = QByteArray("\x89PNG\r\n\x1a\n", 8) + chunks;
    QBuffer device(&png);
    device.open(QIODevice::ReadOnly);
    return textInPng(device, "key");
}

QByteArray compressed(const QByteArray& text) {
    return qCompress(text).mid(4); // without Qt's length
}

const QByteArray key("key\0", 4);

} // namespace

class PngTextTest : public QObject {
    Q_OBJECT

private slots:

    void everyKindOfChunk() {
        const QByteArray first =
            chunk("IHDR", QByteArray(13, '\0')) + chunk("tEXt", QByteArray("other\0no", 8));
        QCOMPARE(textOf(first + chunk("tEXt", key + "a \xe9")), QString("a é"));
        QCOMPARE(textOf(first + chunk("zTXt", key + QByteArray(1, '\0') + compressed("b"))), QString("b"));
        const QByteArray plain("\0\0en\0\0", 6);
        const QByteArray packed("\1\0\0\0", 4);
        QCOMPARE(textOf(first + chunk("iTXt", key + plain + "é  c")), QString("é  c"));
        QCOMPARE(textOf(first + chunk("iTXt", key + packed + compressed("é"))), QString("é"));
        QCOMPARE(textOf(first), QString());
        QCOMPARE(textOf(first + chunk("IEND", {}) + chunk("tEXt", key + "late")), QString());
    }

    void cutAnywhereItIsNone() {
        const QByteArray whole = chunk("iTXt", key + QByteArray("\1\0en\0\0", 6) + compressed("text"));
        QCOMPARE(textOf(whole), QString("text"));
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression("qUncompress"));
        for (qsizetype size = 0; size + 4 + compressed("text").size() <= whole.size(); ++size) {
            QCOMPARE(textOf(whole.left(size)), QString());
        }
    }

    void whatWouldFillTheMemoryIsNotRead() {
        const QByteArray bomb = compressed(QByteArray(100'000'000, 'x')); // a thousandth of it
        QVERIFY(bomb.size() < 200'000);
        QCOMPARE(textOf(chunk("zTXt", key + QByteArray(1, '\0') + bomb)), QString());
        QCOMPARE(textOf(chunk("iTXt", key + QByteArray("\1\0\0\0", 4) + bomb)), QString());
        QCOMPARE(textOf(chunk("tEXt", key + QByteArray(2'000'000, 'x'))), QString());
        QCOMPARE(textOf(chunk("tEXt", key + QByteArray(200'000, 'x'))).size(), qsizetype{200'000});
    }
};

QTEST_MAIN(PngTextTest)
#include "png_text_test.moc"
