// The small kernels of all layers of a server's step.
#pragma once

#include "core/cost/step/step_setup.h"

namespace loadline {

struct LayerKernels {
    double count = 0;       ///< of all layers
    double bytesPerRow = 0; ///< that they move for each row, likewise
    bool operator==(const LayerKernels&) const = default;
};

/// Counts kernels by smallKernelsOf, layer by layer. Bytes (spec: measured servers, section 3): norms and
/// residuals of the row between layers, the activation of a dense layer, rotary embedding and KV write,
/// norms of q and k; in linear layers the arranged inputs and the gated norm. MLA's are in its module's time.
/// `padsHidden`: LayerTraits.
LayerKernels layerKernelsOf(const StepSetup& setup, const ModelShapes& shard, bool padsHidden);

} // namespace loadline
