// Sorting by distribution gives what sorting by comparison gives.
#include "core/base/radix_sort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace loadline {
namespace {

std::vector<double> sortedByComparing(std::vector<double> values) {
    std::ranges::sort(values);
    return values;
}

TEST(RadixSort, SortsFewAndManyNumbersOfEverySize) {
    std::mt19937_64 random(7);
    for (const std::size_t count : {0, 1, 2, 100, 1499, 1500, 1501, 100'000}) {
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i) {
            const double size = std::exp(std::uniform_real_distribution(-300.0, 300.0)(random));
            values.push_back(random() % 2 == 0 ? size : -size);
        }
        std::vector<double> sorted = values;
        radixSort(sorted);
        EXPECT_EQ(sorted, sortedByComparing(values)) << count;
    }
}

TEST(RadixSort, SortsTheEndsOfTheRange) {
    using Limits = std::numeric_limits<double>;
    const std::vector<double> ends = {Limits::infinity(),
                                      -Limits::infinity(),
                                      0,
                                      Limits::max(),
                                      Limits::lowest(),
                                      Limits::min(),
                                      Limits::denorm_min(),
                                      -1,
                                      1,
                                      1 + Limits::epsilon()};
    std::vector<double> values;
    for (int i = 0; i < 300; ++i) {
        values.insert(values.end(), ends.begin(), ends.end());
    }
    std::vector<double> sorted = values;
    radixSort(sorted);
    EXPECT_EQ(sorted, sortedByComparing(values));
}

TEST(RadixSort, KeepsTheOrderOfEquals) {
    struct Numbered {
        double key = 0;
        int number = 0;
    };
    for (const int count : {1000, 10'000}) {
        std::vector<Numbered> values;
        for (int i = 0; i < count; ++i) {
            values.push_back({static_cast<double>(i * 7919 % 13) / 3, i});
        }
        radixSort(values, &Numbered::key);
        const auto isBefore = [](const Numbered& a, const Numbered& b) {
            return a.key < b.key || (a.key == b.key && a.number < b.number);
        };
        EXPECT_TRUE(std::ranges::is_sorted(values, isBefore)) << count;
    }
}

TEST(RadixSort, LeavesEqualNumbersAsTheyAre) {
    std::vector<double> same(5000, 2.5);
    radixSort(same);
    EXPECT_THAT(same, testing::Each(2.5));
}

} // namespace
} // namespace loadline
