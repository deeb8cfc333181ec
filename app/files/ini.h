// Ini files as plain words: nothing in them is a type, an object or a command.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <map>

namespace loadline::app {

/// "section/key" and its words. As QSettings writes strings and lists of them; its other types
/// ("@Variant(...)" and the like), which can ask for any amount of memory, stay the words they are.
using Ini = std::map<QString, QStringList>;

/// Reads whatever there is: lines that are none of an ini file are left out.
Ini iniFrom(const QByteArray& text);
QByteArray iniText(const Ini& ini);

/// A file that is not there is an empty one. An Error for what is no ordinary file, cannot be read, or is
/// larger than any that iniText makes (1 MiB).
Result<Ini> readIni(const QString& path);

} // namespace loadline::app
