// Fields of settings as words, each checked where it is read.
#pragma once

#include "app/files/ini.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QList>
#include <QRegularExpression>
#include <QSize>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace loadline::app {

/// Values with the words they are saved as.
template <typename T, std::size_t N>
using Words = std::array<std::pair<T, std::string_view>, N>;

inline constexpr qsizetype mostLetters = 4096;    ///< of a path, and more than any other word
inline constexpr qsizetype mostBlobBytes = 65536; ///< Qt's take some hundred

/// No path and no word is longer, holds a zero or half a surrogate pair: neither would be saved as it is.
inline bool isText(const QString& text) {
    return text.size() <= mostLetters && text.isValidUtf16() && !text.contains(QChar::Null);
}

inline QByteArray checkSumOf(const QByteArray& blob) {
    return QCryptographicHash::hash(blob, QCryptographicHash::Sha1).toHex();
}

/// Writes and reads fields by name, both with the same call: reading keeps the default of what is unusable,
/// and notes its name.
class SettingsReader {
public:
    SettingsReader(const Ini& file, QStringList& damaged) : file_(file), damaged_(damaged) {}

    template <typename T>
    void word(const char* key, T& value, const auto& words) {
        one(key, [&](const QString& text) {
            const std::string name = text.toStdString();
            const auto it =
                std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.second == name; });
            value = it != words.end() ? it->first : value;
            return it != words.end();
        });
    }

    /// Reads bytes that only Qt understands, with a check sum: Qt takes any bytes for counts of things to
    /// make.
    void blob(const char* key, QByteArray& value) {
        any(key, [&](const QStringList& words) {
            if (words.isEmpty()) {
                return true;
            }
            const QByteArray text = words.back().toLatin1();
            const auto bytes = QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
            const bool whole = words.size() == 2 && bytes && (*bytes).size() <= mostBlobBytes &&
                               words.front() == QLatin1String(checkSumOf(*bytes));
            value = whole ? *bytes : value;
            return whole;
        });
    }

    void flag(const char* key, bool& value) {
        one(key, [&](const QString& text) {
            const bool known = text == "true" || text == "false";
            value = known ? text == "true" : value;
            return known;
        });
    }

    void text(const char* key, QString& value) {
        one(key, [&](const QString& text) {
            value = isText(text) ? text : value;
            return isText(text);
        });
    }

    void list(const char* key, QStringList& value, qsizetype most) {
        any(key, [&](const QStringList& words) {
            const bool sane = std::all_of(words.begin(), words.end(), isText);
            if (sane) {
                value = words;
                value.removeAll(QString());
                value = value.mid(0, most);
            }
            return sane;
        });
    }

    void size(const char* key, QSize& value) {
        one(key, [&](const QString& text) {
            static const QRegularExpression form(
                QStringLiteral("^(?:@Size\\((\\d{1,5}) (\\d{1,5})\\)|(\\d{1,5})x(\\d{1,5}))$"));
            const QStringList parts = form.match(text).capturedTexts().mid(1);
            const QStringList sides = parts.filter(QRegularExpression(QStringLiteral("\\d")));
            if (sides.size() != 2) {
                return false;
            }
            const QSize read(sides[0].toInt(), sides[1].toInt());
            const bool sane = read.width() >= 200 && read.height() >= 200 && read.width() <= 16384 &&
                              read.height() <= 16384;
            value = sane ? read : value;
            return sane;
        });
    }

    void number(const char* key, double& value, double low, double high) {
        one(key, [&](const QString& text) {
            bool good = false;
            const double read = text.toDouble(&good);
            good = good && read >= low && read <= high;
            value = good ? read : value;
            return good;
        });
    }

    void numbers(const char* key, QList<int>& value, int low, int high, qsizetype count) {
        any(key, [&](const QStringList& words) {
            QList<int> read;
            bool sane = words.size() % count == 0 && // a page may have three such groups
                        words.size() <= 3 * count;
            for (const QString& word : sane ? words : QStringList()) {
                bool good = false;
                read << word.toInt(&good);
                sane = sane && good && read.back() >= low && read.back() <= high;
            }
            value = sane ? read : value;
            return sane;
        });
    }

    /// Calls take(words) where the key is; what take refuses is damaged.
    template <typename Take>
    void any(const char* key, Take take) {
        const auto found = file_.find(QLatin1String(key));
        if (found != file_.end() && !take(found->second)) {
            damaged_ << QLatin1String(key);
        }
    }

    /// The same for keys of exactly one word.
    template <typename Take>
    void one(const char* key, Take take) {
        any(key, [&](const QStringList& words) { return words.size() == 1 && take(words.front()); });
    }

private:
    const Ini& file_;
    QStringList& damaged_;
};

/// The same calls, the other way round.
class SettingsWriter {
public:
    explicit SettingsWriter(Ini& file) : file_(file) {}

    template <typename T>
    void word(const char* key, const T& value, const auto& words) {
        const auto it =
            std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.first == value; });
        if (it != words.end()) {
            text(key, QString::fromUtf8(it->second.data(), qsizetype(it->second.size())));
        }
    }

    void blob(const char* key, const QByteArray& value) {
        if (!value.isEmpty()) {
            list(key, {checkSumOf(value), value.toBase64()}, 2);
        }
    }

    void flag(const char* key, bool value) { text(key, value ? "true" : "false"); }

    void text(const char* key, const QString& value) { list(key, {value}, 1); }

    void list(const char* key, const QStringList& value, qsizetype /*most*/) {
        file_[QLatin1String(key)] = value;
    }

    void size(const char* key, QSize value) {
        text(key, QStringLiteral("%1x%2").arg(value.width()).arg(value.height()));
    }

    void number(const char* key, double value, double /*low*/, double /*high*/) {
        text(key, QString::number(value, 'g', 17));
    }

    void numbers(const char* key, const QList<int>& value, int /*low*/, int /*high*/, qsizetype /*count*/) {
        QStringList words;
        for (const int n : value) {
            words << QString::number(n);
        }
        list(key, words, words.size());
    }

private:
    Ini& file_;
};

} // namespace loadline::app
