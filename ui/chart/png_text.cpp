// Text chunks of PNG files.
#include "ui/chart/png_text.h"

#include <QFile>
#include <QtEndian>

#include <array>

namespace loadline::ui {

namespace {

constexpr qint64 largestChunk = 1 << 20;      // a command line is far shorter
constexpr qint64 largestCompressed = 1 << 16; // of which zlib may make a thousand times as much

/// zlib's bytes; Qt wants the expected length in front and only takes it as a first guess.
QByteArray inflated(const QByteArray& data) {
    if (data.size() > largestCompressed) {
        return {};
    }
    std::array<char, 4> guess{};
    qToBigEndian<quint32>(4096, guess.data());
    return qUncompress(QByteArray(guess.data(), 4) + data);
}

/// The text of a tEXt, zTXt or iTXt chunk that belongs to `key`; a null string otherwise.
QString textIn(const QByteArray& type, const QByteArray& data, const QByteArray& key) {
    const qsizetype end = data.indexOf('\0');
    if (end < 0 || data.left(end) != key) {
        return {};
    }
    if (type == "tEXt") {
        return QString::fromLatin1(data.mid(end + 1));
    }
    if (type == "zTXt") {
        return QString::fromLatin1(inflated(data.mid(end + 2)));
    }
    // iTXt: compression flag and method, language, translated key, UTF-8 text.
    const qsizetype language = end + 3;
    const qsizetype translated = data.indexOf('\0', language) + 1;
    const qsizetype text = translated == 0 ? 0 : data.indexOf('\0', translated) + 1;
    if (text == 0) {
        return {};
    }
    const QByteArray bytes = data.mid(text);
    return QString::fromUtf8(data.at(end + 1) == 1 ? inflated(bytes) : bytes);
}

} // namespace

QString textInPng(const QString& path, const QByteArray& key) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? textInPng(file, key) : QString();
}

QString textInPng(QIODevice& png, const QByteArray& key) {
    if (png.read(8) != QByteArray("\x89PNG\r\n\x1a\n", 8)) {
        return {};
    }
    while (true) {
        const QByteArray head = png.read(8);
        if (head.size() < 8) {
            return {};
        }
        const qint64 length = qFromBigEndian<quint32>(head.constData());
        const QByteArray type = head.mid(4);
        if ((type == "tEXt" || type == "zTXt" || type == "iTXt") && length <= largestChunk) {
            const QByteArray data = png.read(length);
            if (QString text = textIn(type, data, key); !text.isNull()) {
                return text;
            }
            png.skip(4); // check sum
        } else if (type == "IEND" || png.skip(length + 4) != length + 4) {
            return {};
        }
    }
}

} // namespace loadline::ui
