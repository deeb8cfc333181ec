// A server's log in a few figures.
#pragma once

#include "core/serverlog/server_log.h"
#include "ui/panel/part/figure_tiles.h"

#include <QString>

#include <vector>

namespace loadline::app {

/// Server, lines, times and requests.
std::vector<ui::FigureTile> tilesOf(const ServerLog& log);

/// "vLLM, SGLang and Ollama": whose logs are read.
QString knownServers();

} // namespace loadline::app
