// Item model over what was odd: kinds with their counts, the places below each, and a place's further lines.
#pragma once

#include "core/session/corpus/corpus.h"
#include "ui/model/plain_model.h"
#include "ui/model/roles.h"

#include <QAbstractItemModel>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace loadline::ui {

/// Rows are shown through index permutations: a filter or sorting moves no entries.
class DiagnosticsModel : public PlainModel<QAbstractItemModel> {
    Q_OBJECT

public:
    enum Column { What, Times, Line, File };

    struct Entry {
        std::uint32_t path = 0; ///< into the paths
        const Diagnostic* diagnostic = nullptr;
        std::uint32_t group = 0, row = 0; ///< where it is shown
    };

    explicit DiagnosticsModel(QObject* parent = nullptr);

    void setCorpus(std::shared_ptr<const Corpus> corpus);
    void setFilter(const QString& text, bool lossOnly);

    [[nodiscard]] std::uint64_t oddities() const { return oddities_; } ///< all, by their counts

    [[nodiscard]] std::uint64_t losses() const { return losses_; } ///< of these, that lose data

    [[nodiscard]] std::uint64_t shown() const { return shown_; }

    /// Returns the entry of a place or of one of its further lines; nullptr for a kind.
    [[nodiscard]] const Entry* entry(const QModelIndex& index) const;
    [[nodiscard]] std::uint64_t lineOf(const QModelIndex& index) const; ///< 0: a kind, or the whole file
    [[nodiscard]] QString pathOf(const Entry& entry) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Group {
        DiagnosticKind kind = DiagnosticKind::BadLine;
        std::uint64_t count = 0;
        std::vector<std::uint32_t> entries; ///< into entries_, as shown
    };

    void collect();
    void arrange();
    void place(); ///< Notes where each entry is shown.
    [[nodiscard]] bool isBefore(const Entry& a, const Entry& b) const;
    [[nodiscard]] QVariant groupData(const Group& group, int column, int role) const;
    [[nodiscard]] QVariant entryData(const Entry& entry, int column, int role) const;
    [[nodiscard]] QVariant lineData(const QModelIndex& index, const Entry& entry, int role) const;

    std::shared_ptr<const Corpus> corpus_;
    std::vector<const std::string*> paths_;
    std::vector<Entry> entries_; ///< by kind, then path, then line
    std::vector<Group> groups_;  ///< those with something to show
    QString filter_;
    bool lossOnly_ = false;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    std::uint64_t oddities_ = 0, losses_ = 0, shown_ = 0;
};

} // namespace loadline::ui
