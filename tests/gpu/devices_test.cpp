// The list of devices and the words for those that are not there.
#include "gpu/devices/devices.h"

#include <gtest/gtest.h>

namespace loadline::gpu {
namespace {

TEST(Devices, TheCpuIsAlwaysThereAndAMissingPluginIsARemark) {
    DeviceOptions options;
    options.cudaPlugin = "/nowhere/libloadline_cuda.so";
    const DeviceList list = listDevices(options);
    ASSERT_EQ(list.devices.size(), 1U);
    EXPECT_EQ(list.devices[0].key, "host");
    EXPECT_TRUE(list.devices[0].unavailable.empty());
    ASSERT_FALSE(list.remarks.empty());
    EXPECT_NE(list.remarks[0].find("no CUDA plugin"), std::string::npos) << list.remarks[0];
    options.cudaPlugin = "";
    EXPECT_TRUE(listDevices(options).remarks.empty());
}

TEST(Devices, UnknownKeysAndAbsentGpusAreErrorsInWords) {
    DeviceOptions options;
    options.cudaPlugin = "/nowhere/libloadline_cuda.so";
    for (const char* key : {"gpu", "cuda:", "cuda:-1", "cuda:x", "Host", ""}) {
        const auto opened = openDevice(key, options);
        ASSERT_FALSE(opened) << key;
        EXPECT_NE(opened.error().sentence().find("host"), std::string::npos) << opened.error().sentence();
    }
    const auto gpu = openDevice("cuda:0", options);
    ASSERT_FALSE(gpu);
    EXPECT_NE(gpu.error().sentence().find("no CUDA plugin"), std::string::npos);
}

TEST(Devices, TheMadeUpOneOpensByItsKey) {
    const auto opened = openDevice("made-up", {});
    ASSERT_TRUE(opened);
    EXPECT_TRUE((*opened)->device().madeUp);
}

} // namespace
} // namespace loadline::gpu
