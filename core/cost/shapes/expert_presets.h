// Presets of large models with experts; shapePresets() lists them.
#pragma once

#include "core/cost/shapes/shapes.h"

namespace loadline {

/// Qwen3-235B-A22B.
ModelShapes qwen3Large();
/// DeepSeek-V3: MLA, and three dense layers before those with experts.
ModelShapes deepSeekV3();
/// MiniMax-M2.5: q and k are normed over all heads, the router runs in fp32 (vLLM's minimax_m2.py).
ModelShapes miniMaxM25();
/// Kimi-K2.5, the text model: MLA as DeepSeek-V3's with half the heads.
ModelShapes kimiK25();

} // namespace loadline
