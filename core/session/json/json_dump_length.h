// The length of a value as Python's json.dumps writes it, counted without writing it.
#pragma once

#include "core/session/json/json_text.h"
#include "core/session/json/json_value.h"

#include <cstddef>

namespace loadline {

/// Code points of json.dumps(json.loads(value)) with its default separators ", " and ": ". A key that occurs
/// twice counts once, with its last value. `style`: one of the dumps.
std::size_t dumpedLength(JsonValue value, LengthOf style);

} // namespace loadline
