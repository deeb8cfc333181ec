// Made-up step times: linear in the work.
#pragma once

#include "core/cost/engine/step_work.h"
#include "core/validate/predict.h"

#include <memory>

namespace loadline {

class LinearPrices : public StepPrices {
public:
    double us(const StepWork& work) override {
        double us = 1000 + 30 * static_cast<double>(work.rows) + 5 * static_cast<double>(work.sampledRows) +
                    0.002 * static_cast<double>(work.decodeContext);
        for (const WorkChunk& chunk : work.chunks) {
            us += 1e-5 * static_cast<double>(chunk.added) * static_cast<double>(chunk.cached);
        }
        return us;
    }
};

/// Any server, with more KV blocks than are needed.
inline Result<PricedServer> linearServer(const ServerSettings& /*settings*/) {
    return PricedServer{.prices = std::make_unique<LinearPrices>(), .kvBlocks = 1 << 22};
}

} // namespace loadline
