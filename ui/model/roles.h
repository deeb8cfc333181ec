// Roles that our item models share beyond Qt's own.
#pragma once

#include <Qt>

namespace loadline::ui {

/// Item data roles beyond the cell's text.
enum ModelRole : int {
    SortRole = Qt::UserRole + 1, ///< a number or text that orders like the cell
    ExactRole,                   ///< exact text without grouping: what is copied
    KeyRole,                     ///< stable identity of the row
    BarRole,                     ///< StackedBar: the in-cell bar
    NoteRole,                    ///< muted text behind the main one
    ShareRole,                   ///< double 0..1: a plain in-cell bar
    MarksRole,                   ///< small marks before the text (row flags)
    ChoicesRole,                 ///< QStringList: the cell is one of these, EditRole its index
};

} // namespace loadline::ui
