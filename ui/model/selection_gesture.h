// Reports a selection by mouse in a list or table once, when the button is released.
#pragma once

#include <functional>

class QAbstractItemView;

namespace loadline::ui {

/// Calls `take` after the selection of the view has changed: at once, but while a mouse button is down in it
/// when that is released. So a drag over many rows is one change.
void onSelection(QAbstractItemView& view, std::function<void()> take);

} // namespace loadline::ui
