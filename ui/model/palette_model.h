// The entries of the command palette that fit what was typed, best first.
#pragma once

#include "ui/model/plain_model.h"

#include <QAbstractListModel>
#include <QString>

#include <string>
#include <vector>

namespace loadline::ui {

struct PaletteEntry {
    QString id;       ///< what choosing it gives back
    QString title;    ///< matched
    QString hint;     ///< matched too, muted: "page", "session of project-a"
    QString shortcut; ///< as text in the user's language, may be empty
    bool operator==(const PaletteEntry&) const = default;
};

/// A row that fits: its entry and the matched letters.
struct PaletteMatch {
    const PaletteEntry* entry = nullptr;
    std::vector<int> inTitle, inHint; ///< positions of matched QChars, ascending
};

class PaletteModel : public PlainModel<QAbstractListModel> {
    Q_OBJECT

public:
    explicit PaletteModel(QObject* parent = nullptr);

    void setEntries(std::vector<PaletteEntry> entries);
    void setQuery(const QString& query);

    [[nodiscard]] const PaletteMatch& match(int row) const { return matches_[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;

private:
    void find();

    std::vector<PaletteEntry> entries_;
    std::vector<std::string> texts_; ///< parallel: title, a line end, hint
    std::vector<PaletteMatch> matches_;
    QString query_;
};

} // namespace loadline::ui
