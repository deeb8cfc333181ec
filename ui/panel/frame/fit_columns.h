// Columns as wide as their contents, closer together where there is less room.
#pragma once

class QTableView;

namespace loadline::ui {

/// The least width at which every shown text is whole.
int widthNeeded(const QTableView& view);
/// Room that is lacking is taken from between the columns, never from a text; a last column that stretches
/// takes what is left.
void fitColumns(QTableView& view);

/// Widens those whose texts do not fit any more; none gets narrower. Whether there were any.
bool growColumns(QTableView& view);

} // namespace loadline::ui
