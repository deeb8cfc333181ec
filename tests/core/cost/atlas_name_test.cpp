// Names of the GPUs of the atlas: each means one GPU, and the same one as in the hardware table.
#include "core/cost/device/atlas_name.h"

#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/device/device_name.h"
#include "core/cost/device/hardware.h"
#include "core/text/plain_words.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace loadline {
namespace {

std::vector<std::string_view> namesOf(const AtlasName& gpu) {
    std::vector<std::string_view> names = {gpu.key, gpu.folder, gpu.hardware, gpu.device};
    names.insert(names.end(), gpu.others.begin(), gpu.others.end());
    return names;
}

TEST(AtlasName, EveryNameMeansItsGpuWhateverItsCase) {
    for (const AtlasName& gpu : atlasNames()) {
        for (const std::string_view name : namesOf(gpu)) {
            std::string loud(name);
            for (char& c : loud) {
                c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
            }
            EXPECT_EQ(findAtlasName(name), &gpu) << name;
            EXPECT_EQ(findAtlasName(lowered(name)), &gpu) << name;
            EXPECT_EQ(findAtlasName(" " + loud + " "), &gpu) << name;
        }
    }
}

TEST(AtlasName, NoWordMeansTwoGpus) {
    std::set<std::string> words;
    for (const AtlasName& gpu : atlasNames()) {
        std::set<std::string> own; // key and folder may be one word
        for (const std::string_view name : namesOf(gpu)) {
            own.insert(lowered(name));
        }
        for (const std::string& word : own) {
            EXPECT_TRUE(words.insert(word).second) << word;
        }
    }
}

TEST(AtlasName, EachHasARowOfTheHardwareTableThatItsNamesAgreeWith) {
    for (const AtlasName& gpu : atlasNames()) {
        ASSERT_NE(findHardware(gpu.hardware), nullptr) << gpu.key;
        ASSERT_NE(findGpu(gpu.hardware), nullptr) << gpu.key;
        EXPECT_EQ(hardwareNamed(gpu.device), gpu.hardware);
        EXPECT_EQ(findAtlasName(findGpu(gpu.hardware)->name), &gpu) << "the name of an older profile";
        for (const std::string_view name : namesOf(gpu)) {
            const std::string other = hardwareNamed(name);
            EXPECT_TRUE(other.empty() || other == gpu.hardware) << name << " means " << other;
        }
    }
}

TEST(AtlasName, NineGpusInTheOrderOfLists) {
    std::vector<std::string_view> keys;
    for (const AtlasName& gpu : atlasNames()) {
        keys.push_back(gpu.key);
    }
    EXPECT_EQ(keys, (std::vector<std::string_view>{"h100-sxm", "h200-sxm", "a100-sxm", "b200-sxm", "b300-sxm",
                                                   "gb200", "gb300", "l40s", "rtx-pro-6000"}));
}

TEST(AtlasName, BoardsThatWereNotMeasuredAreNobodys) {
    for (const char* word : {"", " ", "h100", "NVIDIA H100", "a100", "NVIDIA A100-SXM4-40GB", "sxm",
                             "rtx4090", "H800", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
                             "h100_sxm2", "model:H100-SXM", "roofline:H100-SXM"}) {
        EXPECT_EQ(findAtlasName(word), nullptr) << word;
    }
}

} // namespace
} // namespace loadline
