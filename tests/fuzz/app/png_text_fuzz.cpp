// Any bytes as a PNG: a text or none, of bounded size; and as a text that a PNG holds: it comes back as it
// is.
#include "ui/chart/png_text.h"

#include "tests/fuzz/check.h"

#include <QBuffer>
#include <QtEndian>

namespace {

constexpr qsizetype mostBytes = 1 << 15; // compressed or not, read by all means

QByteArray bigEndian(qsizetype number) {
    QByteArray bytes(4, '\0');
    qToBigEndian<quint32>(static_cast<quint32>(number), bytes.data());
    return bytes;
}

/// The check sum does not matter.
QByteArray chunk(const char* type, const QByteArray& data) {
    return bigEndian(data.size()) + type + data + bigEndian(0);
}

QString textOfPng(const QByteArray& png) {
    QBuffer device;
    device.setData(png);
    device.open(QIODevice::ReadOnly);
    return loadline::ui::textInPng(device, "key");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using loadline::fuzz::check;
    static const auto usual =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    static_cast<void>(usual); // qUncompress warns of every broken chunk
    const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
    const QByteArray begin("\x89PNG\r\n\x1a\n", 8);
    check(textOfPng(bytes).size() <= (1 << 27));
    check(textOfPng(begin + bytes).size() <= (1 << 27)); // chunks at once
    for (const char* type : {"tEXt", "zTXt", "iTXt"}) {
        check(textOfPng(begin + chunk(type, QByteArray("key\0", 4) + bytes)).size() <= (1 << 27));
    }
    if (bytes.size() > mostBytes) {
        return 0;
    }
    const QByteArray odd = chunk("IHDR", bytes) + chunk("tEXt", QByteArray("other\0", 6) + bytes);
    const QString latin = QString::fromLatin1(bytes);
    const QString wide = QString::fromUtf8(bytes);
    const QByteArray compressed = qCompress(bytes).mid(4);
    const QByteArray key("key\0", 4);
    check(textOfPng(begin + odd + chunk("tEXt", key + bytes)) == latin);
    check(textOfPng(begin + odd + chunk("zTXt", key + QByteArray(1, '\0') + compressed)) == latin);
    const QByteArray names("en\0\0", 4);
    check(textOfPng(begin + odd + chunk("iTXt", key + QByteArray("\0\0", 2) + names + bytes)) == wide);
    check(textOfPng(begin + odd + chunk("iTXt", key + QByteArray("\1\0", 2) + names + compressed)) == wide);
    return 0;
}
