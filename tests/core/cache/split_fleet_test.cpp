// The text of a fleet of GPUs.
#include "core/cache/split/prefill_decode_split.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(SplitFleet, IsReadAsItIsWritten) {
    for (const SplitFleet& fleet :
         {SplitFleet{}, SplitFleet{1, 0, {}}, SplitFleet{72.5, 0.532, {}}, SplitFleet{64, 0.5, 0.9213}}) {
        EXPECT_EQ(fleetFromText(textOf(fleet)), fleet);
    }
    EXPECT_EQ(fleetFromText("prefill=1"), (SplitFleet{64, 1, {}}));
    for (const char* text : {"", "gpus", "gpus=0", "gpus=nan", "prefill=1.5", "prefill=-1", "gpus=1e30",
                             "x=1", "hit=2", "hit=", "gpus=1,,prefill=0", "gpus= 4"}) {
        EXPECT_EQ(fleetFromText(text), std::nullopt) << text;
    }
}

} // namespace
} // namespace loadline
