// --prices: what models cost per token.
#pragma once

#include "core/base/result.h"
#include "core/session/price/price_list.h"

#include <string>

namespace CLI {
class App;
}

namespace loadline::app {

/// The list that comes with the program.
const PriceList& bundledPrices();

/// --prices FILE
void addPrices(CLI::App& app, std::string& file);
/// The bundled list with the file's laid over; the bundled one where `file` is empty.
Result<PriceList> resolvePrices(const std::string& file);

} // namespace loadline::app
