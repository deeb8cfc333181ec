// --prices: what models cost per token.
#pragma once

#include "core/ask/field.h"
#include "core/base/result.h"
#include "core/session/price/price_list.h"

#include <string>

namespace loadline::app {

/// The list that comes with the program.
const PriceList& bundledPrices();

/// --prices FILE
struct PriceOption {
    std::string file; ///< "": the bundled prices alone
};
ask::Fields priceFields();
/// The bundled list with the file's laid over; the bundled one where `file` is empty.
Result<PriceList> resolvePrices(const std::string& file);

} // namespace loadline::app
