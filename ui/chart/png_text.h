// Text chunks of PNG files, read without decoding the picture.
#pragma once

#include <QByteArray>
#include <QString>

class QIODevice;

namespace loadline::ui {

/// The text stored under `key` (tEXt, zTXt or iTXt); empty when there is none or the file is no PNG.
/// QImageReader::text would not do: it cuts keys at spaces and simplifies the text.
QString textInPng(const QString& path, const QByteArray& key);
/// The same of an open device at its beginning.
QString textInPng(QIODevice& png, const QByteArray& key);

} // namespace loadline::ui
