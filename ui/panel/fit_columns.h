// Columns as wide as their contents, closer together where there is less room.
#pragma once

class QTableView;

namespace loadline::ui {

/// Takes from the padding, never from the text; the last column, where it stretches, takes what is left.
void fitColumns(QTableView& view);

} // namespace loadline::ui
