// Item models whose views show text as it is: the base of all of ours.
#pragma once

#include "ui/model/roles.h"
#include "ui/theme/plain_text.h"

#include <QModelIndex>
#include <QVariant>

namespace loadline::ui {

/// Returns a cell's value for a role in the form that views may show: display text is one bounded line
/// (lineText), a tooltip is a Tip's text. Values to edit, copy, sort or compare stay exact.
inline QVariant plainValue(const QVariant& value, int role) {
    switch (role) {
    case Qt::ToolTipRole:
        if (value.metaType() == QMetaType::fromType<Tip>()) {
            return value.value<Tip>().text();
        }
        return value.isValid() ? QVariant(Tip(value.toString()).text()) : value;
    case Qt::DisplayRole:
    case Qt::StatusTipRole:
    case Qt::WhatsThisRole:
    case Qt::AccessibleTextRole:
    case Qt::AccessibleDescriptionRole:
    case NoteRole:
        return value.metaType() == QMetaType::fromType<QString>() ? QVariant(lineText(value.toString()))
                                                                  : value;
    default:
        return value;
    }
}

/// Models give what they hold by cell() and heading().
template <typename Base>
class PlainModel : public Base {
public:
    using Base::Base;

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const final {
        return plainValue(cell(index, role), role);
    }

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const final {
        return plainValue(heading(section, orientation, role), role);
    }

protected:
    [[nodiscard]] virtual QVariant cell(const QModelIndex& index, int role) const = 0;

    [[nodiscard]] virtual QVariant heading(int section, Qt::Orientation orientation, int role) const {
        return Base::headerData(section, orientation, role);
    }
};

} // namespace loadline::ui
