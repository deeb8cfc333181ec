// The nearest measured servers: bounds, order, sentences.
#include "core/serving/nearest_servers.h"

#include "core/serving/server_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace loadline {
namespace {

using testing::ElementsAre;

ServerPoint basePoint() {
    return {.gpu = "h200-sxm",
            .totalBytes = 72e9,
            .activeBytes = 70e9,
            .weights = "fp8",
            .experts = "",
            .kv = "fp8",
            .tensorParallel = 4,
            .context = 1400,
            .newTokens = 930,
            .cachedShare = 0,
            .batch = 16};
}

JudgedServer judgedAt(const ServerPoint& at, double tpotError, double ttftError = 0.1) {
    return {.model = "meta-llama/Llama-3.1-70B",
            .at = at,
            .tier = "A",
            .ttftError = ttftError,
            .tpotError = tpotError};
}

/// Servers spread over all axes, some of them alike.
std::vector<JudgedServer> madeUpServers(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto one = [&](auto values) { return values[random() % values.size()]; };
    std::vector<JudgedServer> servers;
    for (std::size_t i = 0; i < count; ++i) {
        ServerPoint at = basePoint();
        at.gpu = one(std::vector<std::string>{"h100-sxm", "h200-sxm", "b200-sxm", "abacus"});
        at.weights = one(std::vector<std::string>{"fp8", "fp8_block", "nvfp4", "bf16", "k4"});
        at.kv = one(std::vector<std::string>{"fp8", "bfloat16"});
        at.tensorParallel = one(std::vector<int>{1, 2, 4, 8});
        at.context = one(std::vector<double>{700, 1400, 4600, 7800});
        at.newTokens = one(std::vector<double>{930, 7400});
        at.cachedShare = one(std::vector<double>{0, 0, 0.05, 0.9});
        at.batch = one(std::vector<double>{4, 8, 16, 64, 512});
        at.isKvBound = random() % 8 == 0;
        servers.push_back(judgedAt(at, static_cast<double>(random() % 1000) / 1000 - 0.3));
        servers.back().model = one(std::vector<std::string>{"one", "two", "three"});
    }
    return servers;
}

TEST(NearestServers, CountWhatIsLikeThePoint) {
    std::vector<JudgedServer> servers;
    for (const double error : {0.02, -0.05, 0.08}) {
        servers.push_back(judgedAt(basePoint(), error, 2 * error));
    }
    ServerPoint other = basePoint();
    other.gpu = "b200-sxm";
    servers.push_back(judgedAt(other, 0.9));
    const NearestServers found = nearestServers(servers, basePoint());
    EXPECT_EQ(found.n, 3U);
    ASSERT_TRUE(found.tpot && found.ttft);
    EXPECT_DOUBLE_EQ(found.tpot->median, 0.05);
    EXPECT_DOUBLE_EQ(found.tpot->p90, 0.074);
    EXPECT_DOUBLE_EQ(found.ttft->median, 0.1);
    EXPECT_EQ(found.words, "TPOT 5 % median on 3 servers like this: Llama-3.1-70B, H200-SXM");
    EXPECT_DOUBLE_EQ(found.tpot->largest, 0.08);
    EXPECT_EQ(found.more, "TPOT: median 5 %, largest 8 % on 3 servers. TTFT: median 10 %, largest 16 % on 3 "
                          "servers.");
    EXPECT_TRUE(found.outside.empty());
}

TEST(NearestServers, AServerIsNearestToItself) {
    const std::vector<JudgedServer> servers = madeUpServers(200, 1);
    for (const JudgedServer& server : servers) {
        ASSERT_EQ(serverDistance(server.at, server.at), 0);
        for (const JudgedServer& other : servers) {
            if (const auto distance = serverDistance(server.at, other.at); distance && *distance == 0) {
                EXPECT_EQ(formatClassOf(server.at.weights), formatClassOf(other.at.weights));
                EXPECT_EQ(server.at.batch, other.at.batch);
                EXPECT_EQ(server.at.context, other.at.context);
            }
        }
        EXPECT_GE(nearestServers(servers, server.at).n, 1U);
    }
}

TEST(NearestServers, DistanceIsSymmetric) {
    const std::vector<JudgedServer> servers = madeUpServers(120, 2);
    std::size_t near = 0;
    for (const JudgedServer& one : servers) {
        for (const JudgedServer& other : servers) {
            const auto distance = serverDistance(one.at, other.at);
            ASSERT_EQ(distance, serverDistance(other.at, one.at));
            near += distance ? 1 : 0;
        }
    }
    EXPECT_GT(near, servers.size());
    EXPECT_LT(near, servers.size() * servers.size() / 4);
}

TEST(NearestServers, DoNotDependOnTheOrder) {
    std::vector<JudgedServer> servers = madeUpServers(300, 3);
    std::vector<NearestServers> before;
    for (std::size_t i = 0; i < 40; ++i) {
        before.push_back(nearestServers(servers, servers[i].at));
    }
    std::vector<JudgedServer> turned = servers;
    std::shuffle(turned.begin(), turned.end(), std::mt19937(4));
    for (std::size_t i = 0; i < 40; ++i) {
        EXPECT_EQ(nearestServers(turned, servers[i].at), before[i]);
    }
}

/// Changes one number of the point.
struct ServerBound {
    ServerAxis axis;
    double inside; ///< nearest factor, or value, that is still near
    double outside;
    void (*set)(ServerPoint& point, double by);
};

const ServerBound serverBounds[] = {
    {ServerAxis::ModelSize, 2, 2.01, [](ServerPoint& point, double by) { point.totalBytes *= by; }},
    {ServerAxis::ModelSize, 0.5, 0.49, [](ServerPoint& point, double by) { point.activeBytes *= by; }},
    {ServerAxis::Gpus, 8, 9,
     [](ServerPoint& point, double by) { point.tensorParallel = static_cast<int>(by); }},
    {ServerAxis::Context, 2, 2.01, [](ServerPoint& point, double by) { point.context *= by; }},
    {ServerAxis::Context, 0.5, 0.49, [](ServerPoint& point, double by) { point.context *= by; }},
    {ServerAxis::NewTokens, 2, 2.01, [](ServerPoint& point, double by) { point.newTokens *= by; }},
    {ServerAxis::Reuse, 0.1, 0.11, [](ServerPoint& point, double by) { point.cachedShare = by; }},
    {ServerAxis::Batch, 4, 4.1, [](ServerPoint& point, double by) { point.batch *= by; }},
    {ServerAxis::Batch, 0.25, 0.24, [](ServerPoint& point, double by) { point.batch *= by; }},
};

TEST(NearestServers, CountNothingBeyondABound) {
    for (const ServerBound& bound : serverBounds) {
        ServerPoint in = basePoint();
        bound.set(in, bound.inside);
        ServerPoint out = basePoint();
        bound.set(out, bound.outside);
        EXPECT_TRUE(serverDistance(basePoint(), in)) << int(bound.axis);
        EXPECT_FALSE(serverDistance(basePoint(), out)) << int(bound.axis);
        const std::vector<JudgedServer> servers{judgedAt(basePoint(), 0.05)};
        EXPECT_EQ(nearestServers(servers, in).n, 1U);
        const NearestServers none = nearestServers(servers, out);
        EXPECT_EQ(none.n, 0U);
        EXPECT_THAT(none.outside, ElementsAre(bound.axis));
        EXPECT_FALSE(none.isTogether);
        EXPECT_FALSE(none.tpot || none.ttft);
    }
    const std::vector<JudgedServer> servers = madeUpServers(300, 5);
    for (const JudgedServer& server : servers) {
        std::size_t near = 0;
        for (const JudgedServer& other : servers) {
            bool isNear = true;
            for (std::size_t axis = 0; axis < serverAxisCount; ++axis) {
                isNear = isNear && isNearOn(static_cast<ServerAxis>(axis), server.at, other.at);
            }
            ASSERT_EQ(isNear, serverDistance(server.at, other.at).has_value());
            near += isNear ? 1 : 0;
        }
        const NearestServers found = nearestServers(servers, server.at);
        EXPECT_LE(found.n, near);
        EXPECT_GE(found.n, std::min(near, mostNearest));
    }
}

TEST(NearestServers, TakeTheNearestAndTheirEquals) {
    std::vector<JudgedServer> servers;
    for (std::size_t i = 0; i < mostNearest - 1; ++i) {
        servers.push_back(judgedAt(basePoint(), 0.01));
    }
    ServerPoint further = basePoint();
    further.batch *= 2;
    for (int i = 0; i < 3; ++i) {
        servers.push_back(judgedAt(further, 0.5));
    }
    further.gpu = "h100-sxm";
    servers.push_back(judgedAt(further, 0.7));
    const NearestServers found = nearestServers(servers, basePoint());
    EXPECT_EQ(found.n, mostNearest + 2);
    EXPECT_DOUBLE_EQ(found.tpot->median, 0.01);
    EXPECT_TRUE(found.more.starts_with("TPOT: median 1 %, 90th percentile 50 % on 14 servers."))
        << found.more;
}

TEST(NearestServers, NamesAndFormatsOfAKindAreOne) {
    ServerPoint other = basePoint();
    other.gpu = "NVIDIA H200";
    other.weights = "fp8-block";
    EXPECT_EQ(serverDistance(basePoint(), other), 0);
    other.gpu = "H100-SXM";
    EXPECT_EQ(serverDistance(basePoint(), other), 1);
    other.kv = "bfloat16";
    EXPECT_EQ(serverDistance(basePoint(), other), 2);
    for (const char* const ours : {"k4", "int8"}) { // int8: weights alone, which no engine of the list served
        other.weights = ours;
        EXPECT_FALSE(serverDistance(basePoint(), other)) << ours;
    }
    other = basePoint();
    other.experts = "nvfp4";
    EXPECT_FALSE(isNearOn(ServerAxis::Format, basePoint(), other));
    other.gpu = "abacus";
    EXPECT_FALSE(isNearOn(ServerAxis::Gpu, basePoint(), other));
    EXPECT_TRUE(isNearOn(ServerAxis::Gpu, other, other));
    EXPECT_EQ(formatClassOf("w4a16_mxfp4"), formatClassOf("int4"));
    EXPECT_EQ(formatClassOf("k4"), "k4");
}

std::string wordsFor(const std::vector<JudgedServer>& servers, void (*change)(ServerPoint&)) {
    ServerPoint point = basePoint();
    change(point);
    return nearestServers(servers, point).words;
}

TEST(NearestServers, SayWhatIsOutside) {
    ServerPoint longer = basePoint();
    longer.context = 7833.4;
    longer.newTokens = 7400;
    const std::vector<JudgedServer> servers{judgedAt(basePoint(), 0.05), judgedAt(longer, 0.05)};
    const auto words = [&](void (*change)(ServerPoint&)) { return wordsFor(servers, change); };
    EXPECT_EQ(words([](ServerPoint& point) { point.context = 60e3; }),
              "no server with this context (at most 7.83 k tokens) was measured");
    EXPECT_EQ(words([](ServerPoint& point) { point.context = 100; }),
              "no server with this context (at least 1.4 k tokens) was measured");
    EXPECT_EQ(words([](ServerPoint& point) { point.context = 3300; }),
              "no server with this context (1.4 k and 7.83 k tokens are nearest) was measured");
    EXPECT_EQ(words([](ServerPoint& point) { point.cachedShare = 0.9; }),
              "no server with a reused prefix was measured");
    EXPECT_EQ(words([](ServerPoint& point) {
                  point.context = 60e3;
                  point.cachedShare = 0.9;
              }),
              "no server with this context (at most 7.83 k tokens) or with a reused prefix was measured");
    EXPECT_EQ(
        words([](ServerPoint& point) {
            point.gpu = "l40s";
            point.weights = "k4";
            point.batch = 500;
        }),
        "no server on this GPU, with weights in this format or with this batch (at most 16 requests) was "
        "measured");
    EXPECT_EQ(words([](ServerPoint& point) { point.tensorParallel = 1; }), "no server on 1 GPU was measured");
    EXPECT_EQ(words([](ServerPoint& point) { point.isKvBound = true; }),
              "no server short of KV memory was measured");
    EXPECT_EQ(words([](ServerPoint& point) { point.activeBytes = 5e9; }),
              "no server with a model of this size was measured");
    EXPECT_EQ(words([](ServerPoint& point) { point.context = 7800; }),
              "no server like this was measured: the nearest differ in context");
    EXPECT_EQ(words([](ServerPoint& point) { point.context = point.newTokens = 2790; }),
              "no server with this many new tokens (930 and 7.4 k a request are nearest) was measured");
    EXPECT_EQ(nearestServers({}, basePoint()).words, "no measured servers to compare with");
}

TEST(NearestServers, SayInWhatTheNearestDiffer) {
    ServerPoint point = basePoint();
    const auto differing = [&](const std::vector<void (*)(ServerPoint&)>& changes) {
        std::vector<JudgedServer> servers;
        for (const auto& change : changes) {
            servers.push_back(judgedAt(point, 0.05));
            change(servers.back().at);
        }
        return nearestServers(servers, point);
    };
    const auto gpu = [](ServerPoint& at) { at.gpu = "b200-sxm"; };
    const auto batch = [](ServerPoint& at) { at.batch = 500; };
    const auto both = [](ServerPoint& at) {
        at.gpu = "b200-sxm";
        at.batch = 500;
    };
    const auto context = [](ServerPoint& at) {
        at.context = 9000;
        at.newTokens = 8000;
    };
    const NearestServers one = differing({gpu, batch, batch, both});
    EXPECT_TRUE(one.isTogether);
    EXPECT_THAT(one.outside, ElementsAre(ServerAxis::Batch));
    EXPECT_EQ(one.words, "no server like this was measured: the nearest differ in batch");
    EXPECT_THAT(differing({gpu, batch}).outside, ElementsAre(ServerAxis::Gpu));
    EXPECT_EQ(differing({both, context, context}).words,
              "no server like this was measured: the nearest differ in context and new tokens");
    const NearestServers alone = differing({gpu, both});
    EXPECT_FALSE(alone.isTogether);
    EXPECT_THAT(alone.outside, ElementsAre(ServerAxis::Gpu));
}

TEST(NearestServers, LeaveOutWhatIsNotPredicted) {
    std::vector<JudgedServer> servers{judgedAt(basePoint(), 0.05)};
    servers[0].tpotError.reset();
    EXPECT_EQ(nearestServers(servers, basePoint()).words,
              "TTFT 10 % median on 1 server like this: Llama-3.1-70B, H200-SXM");
    servers[0].ttftError.reset();
    EXPECT_EQ(nearestServers(servers, basePoint()).n, 0U);
    servers.push_back(judgedAt(basePoint(), 0.05));
    servers[1].tier = "C";
    const NearestServers found = nearestServers(servers, basePoint());
    EXPECT_EQ(found.n, 1U);
    EXPECT_EQ(found.inferred, 1U);
    EXPECT_NE(found.more.find("Settings of 1 server were inferred."), std::string::npos) << found.more;
}

TEST(NearestServers, NumbersThatAreNoneAreFarFromAll) {
    for (const double odd : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        ServerPoint point = basePoint();
        point.context = odd;
        EXPECT_FALSE(isNearOn(ServerAxis::Context, point, point));
        EXPECT_EQ(nearestServers(std::vector<JudgedServer>{judgedAt(basePoint(), 0.05)}, point).n, 0U);
    }
    ServerPoint small = basePoint();
    small.batch = 0.2;
    ServerPoint one = basePoint();
    one.batch = 1;
    EXPECT_EQ(serverDistance(small, one), 0);
}

TEST(NearestServers, CountTheBytesOfAModel) {
    const ModelShapes* const dense = findShapePreset("llama-3.1-70b");
    const ModelShapes* const sparse = shapesOfModel("openai/gpt-oss-120b");
    ASSERT_TRUE(dense && sparse);
    const ModelBytes fp16 = modelBytesOf(*dense, 2, 2);
    EXPECT_DOUBLE_EQ(fp16.total, 2 * (totalWeights(*dense) + static_cast<double>(dense->embeddingWeights)));
    EXPECT_DOUBLE_EQ(fp16.active, 2 * weightsPerRow(*dense));
    const ModelBytes mixed = modelBytesOf(*sparse, 2, 0.5);
    EXPECT_NEAR(mixed.total, 62e9, 3e9);
    EXPECT_NEAR(mixed.active, 4.9e9, 0.3e9);
    EXPECT_DOUBLE_EQ(modelBytesOf(*sparse, 2, 2).active, 2 * weightsPerRow(*sparse));
}

} // namespace
} // namespace loadline
