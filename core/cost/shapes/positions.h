// How long a sequence a model was made for.
#pragma once

#include "core/base/tokens.h"
#include "core/cost/shapes/shapes.h"

#include <optional>
#include <string_view>

namespace loadline {

/// "max_position_embeddings" of the model's published configuration: vLLM's max_model_len where nobody says
/// another. Nothing for a key that is no preset's, or of which that is not known.
std::optional<Tokens> positionsOf(std::string_view shapesKey);

} // namespace loadline
