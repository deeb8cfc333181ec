// All charts of a page as one picture.
#pragma once

#include "ui/chart/drawing.h"

#include <memory>
#include <vector>

namespace loadline::ui {

/// The drawings side by side in their order, each under its title and with its own sentence in the table;
/// at least one. `title`: the page's; `sentence`: what the page says, empty: what the first one says.
std::unique_ptr<Drawing> pageDrawing(QString title, QString sentence,
                                     std::vector<std::shared_ptr<const Drawing>> drawings);

} // namespace loadline::ui
