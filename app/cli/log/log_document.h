// The answer of `loadline log`, as JSON and as text.
#pragma once

#include "core/serverlog/log_figure.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace loadline::app {

nlohmann::ordered_json logDocument(const LogFigure& figure);
std::string logText(const LogFigure& figure);

} // namespace loadline::app
