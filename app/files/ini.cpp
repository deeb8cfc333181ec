// The part of Qt's ini syntax that strings and lists need.
#include "app/files/ini.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

namespace loadline::app {
namespace {

constexpr qint64 mostIniBytes = 1 << 20;

int digitOf(char c) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    return letter ? std::tolower(static_cast<unsigned char>(c)) - 'a' + 10 : c - '0';
}

/// Walks the text behind '=': words between commas, in quotes or not.
class WordReader {
public:
    explicit WordReader(const QByteArray& text) : text_(text) {}

    QStringList words() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\\') {
                escape();
                continue;
            }
            ++at_;
            if (!quoted_ && std::isspace(static_cast<unsigned char>(c)) != 0 && isBeginning()) {
                continue;
            }
            if (c == '"') {
                quoted_ = !quoted_;
                wasQuoted_ = true;
            } else if (c == ',' && !quoted_) {
                finish();
            } else {
                bytes_ += c;
                kept_ = quoted_ ? bytes_.size() : kept_;
            }
        }
        finish();
        return words_;
    }

private:
    void escape() {
        static constexpr std::string_view letters = "abfnrtv\"?'\\";
        static constexpr std::string_view meanings = "\a\b\f\n\r\t\v\"?'\\";
        const char kind = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        at_ += 2;
        if (const std::size_t known = letters.find(kind); known != std::string_view::npos) {
            bytes_ += meanings[known];
        } else if (kind == 'x') {
            number(16, 4);
        } else if (kind >= '0' && kind <= '7') {
            --at_;
            number(8, 3);
        }
        kept_ = bytes_.size();
    }

    /// A UTF-16 unit by its number.
    void number(int base, int most) {
        uint unit = 0;
        for (int digits = 0; digits < most && at_ < text_.size(); ++digits, ++at_) {
            const char c = text_[at_];
            if (std::isxdigit(static_cast<unsigned char>(c)) == 0 || digitOf(c) >= base) {
                break;
            }
            unit = unit * static_cast<uint>(base) + static_cast<uint>(digitOf(c));
        }
        word_ += QString::fromUtf8(bytes_) + QChar(static_cast<char16_t>(unit));
        bytes_.clear();
    }

    [[nodiscard]] bool isBeginning() const { return word_.isEmpty() && bytes_.isEmpty() && !wasQuoted_; }

    void finish() {
        qsizetype end = bytes_.size();
        while (end > kept_ && std::isspace(static_cast<unsigned char>(bytes_[end - 1])) != 0) {
            --end;
        }
        word_ += QString::fromUtf8(bytes_.left(end));
        words_ << (word_.startsWith(QLatin1String("@@")) ? word_.mid(1) : word_);
        word_.clear();
        bytes_.clear();
        kept_ = 0;
        wasQuoted_ = false;
    }

    const QByteArray& text_;
    qsizetype at_ = 0;
    QString word_;       ///< what escapes by number ended
    QByteArray bytes_;   ///< UTF-8 behind it
    qsizetype kept_ = 0; ///< of these: blanks before it belong to the word
    bool quoted_ = false, wasQuoted_ = false;
    QStringList words_;
};

QByteArray quotedWord(const QString& word) {
    QByteArray text;
    const QByteArray utf8 = word.toUtf8();
    for (const char c : utf8) {
        if (c == '"' || c == '\\') {
            text += '\\';
            text += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            text += "\\x" + QByteArray::number(static_cast<unsigned char>(c), 16).rightJustified(4, '0');
        } else {
            text += c;
        }
    }
    const bool bare = !utf8.isEmpty() && std::all_of(utf8.begin(), utf8.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("/._-+:").find(c) != std::string_view::npos;
    });
    if (word.startsWith(QLatin1Char('@'))) {
        text.prepend('@');
    }
    return bare ? text : '"' + text + '"';
}

} // namespace

Ini iniFrom(const QByteArray& text) {
    Ini ini;
    QByteArray section;
    for (const QByteArray& raw : text.split('\n')) {
        const QByteArray line = raw.trimmed();
        if (line.startsWith('[') && line.endsWith(']')) {
            section = line.mid(1, line.size() - 2);
            continue;
        }
        const qsizetype equals = line.indexOf('=');
        if (equals <= 0 || line.startsWith(';') || line.startsWith('#')) {
            continue;
        }
        const QString key = QString::fromUtf8(section + '/' + line.left(equals).trimmed());
        const QByteArray value = line.mid(equals + 1);
        ini[key] = value.trimmed() == "@Invalid()" ? QStringList() : WordReader(value).words();
    }
    return ini;
}

QByteArray iniText(const Ini& ini) {
    QByteArray text;
    QString section;
    for (const auto& [key, words] : ini) {
        if (const QString its = key.section(QLatin1Char('/'), 0, 0); its != section) {
            section = its;
            text += (text.isEmpty() ? "[" : "\n[") + section.toUtf8() + "]\n";
        }
        QByteArrayList list;
        std::transform(words.begin(), words.end(), std::back_inserter(list), quotedWord);
        text += key.section(QLatin1Char('/'), 1).toUtf8() + '=' +
                (words.isEmpty() ? QByteArray("@Invalid()") : list.join(", ")) + '\n';
    }
    return text;
}

Result<Ini> readIni(const QString& path) {
    const QFileInfo there(path);
    if (!there.exists()) {
        return Ini();
    }
    const auto failure = [&](const char* what, const char* remedy) {
        return Error{what, path.toStdString(), remedy};
    };
    if (!there.isFile()) {
        return failure("is no ordinary file", "move it away");
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return failure("cannot be read", "allow reading it, or remove it");
    }
    const QByteArray text = file.read(mostIniBytes + 1);
    if (text.size() > mostIniBytes) {
        return failure("is larger than the program ever writes it", "remove it");
    }
    return iniFrom(text);
}

} // namespace loadline::app
