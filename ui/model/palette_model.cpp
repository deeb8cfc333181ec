// The entries of the command palette that fit what was typed, best first.
#include "ui/model/palette_model.h"

#include "core/text/fuzzy_match.h"
#include "ui/model/roles.h"
#include "ui/theme/plain_text.h"

namespace loadline::ui {

namespace {

constexpr std::size_t maxRows = 60; // more than anyone reads

/// Bytes of UTF-8 that the QChar at `at` stands for; a surrogate pair's four belong to its first half.
std::size_t utf8Length(const QString& text, qsizetype at) {
    const QChar c = text[at];
    if (c.isHighSurrogate()) {
        return 4;
    }
    if (c.isLowSurrogate()) {
        return 0;
    }
    return c.unicode() < 0x80 ? 1 : c.unicode() < 0x800 ? 2 : 3;
}

/// Positions of matched bytes as positions of QChars of `text`, whose bytes begin at `offset`.
std::vector<int> charsOf(const QString& text, std::size_t offset, const std::vector<std::uint32_t>& bytes) {
    std::vector<int> chars;
    auto byte = bytes.begin();
    std::size_t at = offset;
    for (qsizetype i = 0; i < text.size() && byte != bytes.end(); ++i) {
        const std::size_t end = at + utf8Length(text, i);
        while (byte != bytes.end() && *byte < at) {
            ++byte;
        }
        if (byte != bytes.end() && *byte < end) {
            chars.push_back(static_cast<int>(i));
        }
        at = end;
    }
    return chars;
}

} // namespace

PaletteModel::PaletteModel(QObject* parent) : PlainModel(parent) {}

void PaletteModel::setEntries(std::vector<PaletteEntry> entries) {
    beginResetModel();
    entries_ = std::move(entries);
    texts_.clear();
    texts_.reserve(entries_.size());
    for (PaletteEntry& entry : entries_) {
        entry.title =
            lineText(entry.title, 300); // before letters are matched: positions are of what is shown
        entry.hint = lineText(entry.hint, 300);
        texts_.push_back((entry.title + u'\n' + entry.hint).toStdString());
    }
    find();
    endResetModel();
}

void PaletteModel::setQuery(const QString& query) {
    beginResetModel();
    query_ = query;
    find();
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(matches_.size());
}

QVariant PaletteModel::cell(const QModelIndex& index, int role) const {
    if (!index.isValid()) { // as views ask when nothing is current
        return {};
    }
    const PaletteEntry& entry = *match(index.row()).entry;
    switch (role) {
    case Qt::DisplayRole:
        return entry.title;
    case Qt::AccessibleTextRole:
        return QStringList{entry.title, entry.hint, entry.shortcut}.join(u' ').trimmed();
    case NoteRole:
        return entry.hint;
    case KeyRole:
        return entry.id;
    default:
        return {};
    }
}

void PaletteModel::find() {
    matches_.clear();
    for (const FuzzyMatch& found : fuzzyMatches(query_.toStdString(), texts_, maxRows)) {
        const PaletteEntry& entry = entries_[found.entry];
        const auto hintAt = static_cast<std::size_t>(entry.title.toUtf8().size()) + 1;
        matches_.push_back(
            {&entry, charsOf(entry.title, 0, found.positions), charsOf(entry.hint, hintAt, found.positions)});
    }
}

} // namespace loadline::ui
