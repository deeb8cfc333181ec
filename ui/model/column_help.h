// Explanations of columns of figures, for readers who do not know their names.
#pragma once

#include <QString>

#include <string_view>

namespace loadline::ui {

/// "average_m: rows M of a step on average; ..."; the name alone where nothing is said of it.
QString columnHelp(std::string_view column);

} // namespace loadline::ui
