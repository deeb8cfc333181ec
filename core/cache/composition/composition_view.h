// How the rows of a composition are drawn.
#pragma once

#include "core/cache/composition/composition_order.h"

namespace loadline {

struct CompositionView {
    bool perRequest = false; ///< mean of each request's shares instead of shares of the sums
    bool shares = true;      ///< shares of 100 % instead of tokens
    CompositionOrder order = CompositionOrder::Usual; ///< that the rows are in: marked at its column
    bool reversed = false;
    bool operator==(const CompositionView&) const = default;
};

} // namespace loadline
