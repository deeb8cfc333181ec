// A test with the plugin's own code on a stage: at its end no rule was broken and nothing is left behind.
#pragma once

#include "gpu/cuda/cuda_backend.h"
#include "tests/gpu/rehearse/stage.h"

#include <gtest/gtest.h>

#include <memory>

namespace loadline::gpu::rehearse {

/// The plugin over the made-up runtime, opened as the program opens plugins.
const CudaPluginApi& plugin();
/// Another copy of it, opened while LOADLINE_CUBLAS is `cublas`: it has looked for libraries itself.
const CudaPluginApi& pluginWithCublas(const std::string& cublas);

class Rehearsal : public testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    /// Device `index` of the stage.
    static std::unique_ptr<Backend> open(int index = 0);
    /// A stage with these devices.
    static void stageOf(const std::vector<StagedDevice>& devices);
};

} // namespace loadline::gpu::rehearse
