// The published study's distributions, as a table.
#include "core/workload/distribution/distribution.h"

namespace loadline {

const TokenDistribution& publishedReference() {
    static const TokenDistribution reference{
        .description = "Tokens per user turn of 397 Claude Code sessions, method per-line: T. Dettmers, "
                       "token_distributions.json, bitsandbytes-foundation/bitsandbytes at "
                       "df55daf88b39a71918c0c1f1753af87c8da87941, 2026-02-16 (MIT licence)",
        .sessions = 397,
        .input = {.turns = 24229,
                  .frequency = {{1, 0.00388},
                                {2, 0.006108},
                                {4, 0.049858},
                                {8, 0.062198},
                                {16, 0.152256},
                                {32, 0.167733},
                                {64, 0.100045},
                                {128, 0.093566},
                                {256, 0.085022},
                                {512, 0.086219},
                                {1024, 0.064221},
                                {2048, 0.050147},
                                {4096, 0.035742},
                                {8192, 0.014157},
                                {16384, 0.013785},
                                {32768, 0.013703},
                                {65536, 0.001279},
                                {131072, 0.000041},
                                {262144, 0.000041}}},
        .output = {.turns = 20946,
                   .frequency = {{1, 0.065502},
                                 {2, 0.201518},
                                 {4, 0.109902},
                                 {8, 0.100449},
                                 {16, 0.112766},
                                 {32, 0.19302},
                                 {64, 0.04144},
                                 {128, 0.055619},
                                 {256, 0.048219},
                                 {512, 0.034947},
                                 {1024, 0.022057},
                                 {2048, 0.010312},
                                 {4096, 0.003533},
                                 {8192, 0.000668},
                                 {16384, 0.000048}}},
    };
    return reference;
}

} // namespace loadline
