// The order of a composition's rows.
#pragma once

#include "core/cache/composition/composition.h"

#include <cstdint>
#include <string_view>

namespace loadline {

/// Usual: as compositionOf makes them. Name: from A to Z; the others: most first.
enum class CompositionOrder : std::uint8_t { Usual, Name, AllTokens, HitRate, HitRatePerRequest, ReadWrite };
/// "usual", "name", "tokens", "hit-rate", "hit-rate-per-request", "read-write"
std::string_view keyOf(CompositionOrder order);

/// Days stay in theirs. Equal rows keep their order, reversed or not.
void sortRows(Composition& composition, CompositionOrder order, bool reversed);

} // namespace loadline
