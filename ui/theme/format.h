// Numbers for people as QString: thin wrappers over core's formats.
#pragma once

#include "core/text/number_format.h"

#include <QString>
#include <QStringList>

#include <string>
#include <string_view>

namespace loadline::ui {

inline QString countText(double n) {
    return QString::fromStdString(formatCount(n));
}

inline QString exactText(std::int64_t n) {
    return QString::fromStdString(formatExact(n));
}

inline QString realText(double n) {
    return QString::fromStdString(formatReal(n));
}

inline QString realText(double n, int digits) {
    return QString::fromStdString(formatReal(n, digits));
}

inline QString bytesText(std::uint64_t bytes) {
    return QString::fromStdString(formatBytes(bytes));
}

inline QString durationText(std::int64_t ms) {
    return QString::fromStdString(formatDuration(ms));
}

inline QString secondsText(double s) {
    return QString::fromStdString(formatSeconds(s));
}

inline QString shareText(double share) {
    return QString::fromStdString(formatShare(share));
}

inline QString fromUtf8(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Texts of core, in their order.
template <typename Texts>
QStringList listFromUtf8(const Texts& texts) {
    QStringList list;
    for (const std::string& text : texts) {
        list << QString::fromStdString(text);
    }
    return list;
}

/// Words of core as a sentence of their own.
inline QString capitalised(const std::string& words) {
    QString sentence = QString::fromStdString(words);
    return sentence.replace(0, 1, sentence.left(1).toUpper());
}

} // namespace loadline::ui
