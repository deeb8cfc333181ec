// Item model over a verdict on a server's log: hypotheses with what the log says of them, then what to try.
#pragma once

#include "core/serverlog/verdict/finding.h"
#include "ui/model/plain_model.h"

#include <QAbstractTableModel>

#include <memory>

namespace loadline::ui {

enum class FindingColumn : int { Verdict, Claim, Reason };
inline constexpr int findingColumnCount = 3;

class FindingModel : public PlainModel<QAbstractTableModel> {
    Q_OBJECT

public:
    explicit FindingModel(QObject* parent = nullptr) : PlainModel(parent) {}

    void setVerdict(std::shared_ptr<const LogVerdict> verdict); ///< null: no rows

    [[nodiscard]] const std::shared_ptr<const LogVerdict>& verdict() const { return verdict_; }

    /// The finding of a row; null of what to try, and beyond.
    [[nodiscard]] const Finding* at(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString textOf(const Finding& finding, FindingColumn column) const;
    [[nodiscard]] QString textOfNext(std::size_t next, FindingColumn column) const;

    std::shared_ptr<const LogVerdict> verdict_;
};

} // namespace loadline::ui
