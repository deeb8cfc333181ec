// Which points are timed, in which order: values only, no device is touched.
#include "gpu/protocol/plan.h"

#include "gpu/protocol/permutation.h"
#include "gpu/protocol/rotation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace loadline::gpu {
namespace {

struct Work {
    GemmSize size;
    int experts = 1;
    bool quantised = true;
    auto operator<=>(const Work&) const = default;
};

/// Each once; what stays fp16 everywhere (an LM head) needs no k-bit kernel.
std::set<Work> worksOf(const ModelShapes& model) {
    std::set<Work> works;
    for (const LayerGemm& gemm : model.gemms) {
        works.insert({gemm.size, gemm.grouped() ? std::max(1, gemm.expertsPerRow) : 1, gemm.quantised});
    }
    return works;
}

/// Returns every point that the backend supports, sorted.
std::vector<PointSpec> allPoints(const Backend& backend, const ModelShapes& model,
                                 const std::vector<int>& kBits, const PresetRule& rule) {
    std::set<PointSpec> points;
    const auto add = [&](const PointSpec& spec) {
        if (backend.supports(spec)) {
            points.insert(spec);
        }
    };
    std::vector<std::int64_t> smallM = rule.rowsM;
    smallM.push_back(3); // the scalar kernel ends at 4: one more point in its range
    const std::vector<std::int64_t> noRows = {0};
    for (const Work& work : worksOf(model)) {
        for (const KernelSpec& spec : std::span(kernelSpecs).first(profiledKernelCount)) {
            if (spec.serves && spec.grouped != (work.experts > 1)) {
                continue;
            }
            const std::vector<std::int64_t>& rows = !spec.serves           ? noRows
                                                    : !spec.kBits          ? rule.rowsM
                                                    : spec.afterDequantise ? rule.pairRowsM
                                                                           : smallM;
            const std::vector<int> fp16 = {fp16Bits};
            for (const int k : !spec.kBits ? fp16 : work.quantised ? kBits : std::vector<int>()) {
                for (const std::int64_t m : rows) {
                    add({spec.kernel, work.size, work.experts, m, k});
                }
            }
        }
    }
    return {points.begin(), points.end()};
}

/// Returns the points to check, for every kernel, k and shape: the M nearest to each of 1, 3, 8, 17 and 64
/// (of two, the larger), none above; the least M if all are above.
std::vector<PointSpec> checksOf(const std::vector<PointSpec>& points) {
    std::vector<PointSpec> checks;
    const auto sameSeries = [](const PointSpec& a, const PointSpec& b) {
        return a.kernel == b.kernel && a.size == b.size && a.experts == b.experts && a.kBits == b.kBits;
    };
    std::vector<PointSpec> sorted = points;
    std::sort(sorted.begin(), sorted.end(), [](const PointSpec& a, const PointSpec& b) {
        return std::tie(a.kernel, a.size, a.experts, a.kBits, a.rowsM) <
               std::tie(b.kernel, b.size, b.experts, b.kBits, b.rowsM);
    });
    for (std::size_t begin = 0; begin < sorted.size();) {
        std::size_t end = begin;
        while (end < sorted.size() && sameSeries(sorted[begin], sorted[end]) && sorted[end].rowsM <= 64) {
            ++end;
        }
        std::set<std::size_t> chosen;
        for (const std::int64_t wanted : {1, 3, 8, 17, 64}) {
            const auto distance = [&](std::size_t at) { return std::abs(sorted[at].rowsM - wanted); };
            std::size_t best = begin;
            for (std::size_t at = begin; at < end; ++at) {
                best = distance(at) <= distance(best) ? at : best;
            }
            if (best < end) {
                chosen.insert(best);
            }
        }
        if (chosen.empty()) {
            chosen.insert(begin);
        }
        for (const std::size_t at : chosen) {
            checks.push_back(sorted[at]);
        }
        while (end < sorted.size() && sameSeries(sorted[begin], sorted[end])) {
            ++end;
        }
        begin = end;
    }
    return checks;
}

double secondsOf(const Backend& backend, const PointSpec& spec, const SamplingRule& rule) {
    return secondsFor(backend.guessUs(spec), rotationFor(backend, spec).calls, rule);
}

} // namespace

std::string_view keyOf(Preset preset) {
    switch (preset) {
    case Preset::Quick:
        return "quick";
    case Preset::Standard:
        return "standard";
    case Preset::Thorough:
        return "thorough";
    }
    return "";
}

std::optional<Preset> presetFromKey(std::string_view key) {
    for (const Preset preset : {Preset::Quick, Preset::Standard, Preset::Thorough}) {
        if (keyOf(preset) == key) {
            return preset;
        }
    }
    return std::nullopt;
}

PresetRule ruleOf(Preset preset) {
    switch (preset) {
    case Preset::Quick:
        return {{1, 2, 4, 8, 32, 128, 512, 2048},
                {128},
                {5, 9, 10, 0.02},
                1,
                0.1,
                0,
                0,
                10,
                {{1, 16, 64}, {1024, 8192}, {512, 2048}, 1.5}};
    case Preset::Standard:
        return {{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192},
                {16, 128, 1024},
                {9, 25, 40, 0.01},
                1,
                0.1,
                50,
                10,
                50,
                {{1, 8, 64, 256}, {256, 1024, 4096, 16384, 65536}, {128, 512, 2048, 8192}, 6}};
    case Preset::Thorough:
        break;
    }
    return {{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192},
            {1, 8, 32, 128, 512, 2048, 8192},
            {9, 50, 100, 0.005},
            3,
            0.05,
            50,
            60,
            300,
            {{1, 2, 4, 8, 16, 32, 64, 128, 256},
             {256, 1024, 4096, 16384, 65536, 131072},
             {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384},
             30}};
}

Rotation rotationFor(const Backend& backend, const PointSpec& point) {
    const DeviceInfo device = backend.device();
    const double bytes = std::max(1.0, backend.weightBytes(point));
    Rotation rotation{.copies = copiesFor(device, bytes, 2), .calls = callsFor(backend.guessUs(point))};
    if (device.freeMemoryBytes > 0) {
        const double room = std::floor(static_cast<double>(device.freeMemoryBytes) / 3 / bytes);
        rotation.copies = std::max(2, static_cast<int>(std::min<double>(rotation.copies, room)));
    }
    if (device.replays &&
        rotation.calls > 2) { // a replay that left copies out would find the others in the cache
        rotation.calls = std::max(rotation.calls, rotation.copies);
    }
    return rotation;
}

std::optional<PointSpec> anchorOf(const Backend& backend, const std::vector<PointSpec>& points) {
    constexpr double mostUs = 2000;
    constexpr std::int64_t rowsM = 16;
    const PointSpec usual{Kernel::CublasFp16, {8192, 8192}, 1, rowsM, fp16Bits};
    if (backend.supports(usual) && backend.guessUs(usual) <= mostUs) {
        return usual;
    }
    std::optional<PointSpec> anchor;
    for (const PointSpec& spec : points) {
        const bool fp16 = !readsKBits(spec.kernel) && spec.rowsM == rowsM;
        if (fp16 && (!anchor || backend.weightBytes(spec) > backend.weightBytes(*anchor))) {
            anchor = spec;
        }
    }
    return anchor;
}

Plan makePlan(const Backend& backend, const ModelShapes& model, const std::vector<int>& kBits, Preset preset,
              std::uint64_t seed) {
    const PresetRule rule = ruleOf(preset);
    Plan plan;
    plan.preset = preset;
    plan.seed = seed;
    plan.shapes = model.name;
    plan.kBits = kBits;
    std::vector<PointSpec> points = allPoints(backend, model, kBits, rule);

    std::stable_sort(points.begin(), points.end(), [&](const PointSpec& a, const PointSpec& b) {
        return backend.guessUs(a) < backend.guessUs(b);
    });
    plan.attention = planAttention(backend, model, rule.attention, rule.sampling, seed);
    double seconds = plan.attention.guessedSeconds;
    std::vector<PointSpec> taken;
    for (const PointSpec& spec : points) {
        const double more = secondsOf(backend, spec, rule.sampling) * rule.passes * (1 + rule.repeatShare);
        if (seconds + more > rule.mostSeconds) {
            plan.leftOut.push_back(spec);
        } else {
            seconds += more;
            taken.push_back(spec);
        }
    }
    plan.guessedSeconds = seconds;
    std::sort(taken.begin(), taken.end());
    plan.checks = checksOf(taken);

    plan.anchor = rule.anchorEvery > 0 ? anchorOf(backend, taken) : std::nullopt;
    Random random(seed);
    for (int pass = 0; pass < rule.passes; ++pass) {
        std::vector<PointSpec> order = taken;
        shuffle(order, random);
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (plan.anchor && i % static_cast<std::size_t>(rule.anchorEvery) == 0) {
                plan.points.push_back({*plan.anchor, PointRole::Anchor, pass});
            }
            const bool isolated = pass == 0 && i % isolatedEvery == isolatedEvery / 2;
            plan.points.push_back({order[i], PointRole::Point, pass, isolated});
        }
    }
    if (plan.anchor && !taken.empty()) { // so that the last points lie between two anchors as well
        plan.points.push_back({*plan.anchor, PointRole::Anchor, rule.passes - 1});
    }
    std::vector<PointSpec> again = taken;
    shuffle(again, random);
    again.resize(static_cast<std::size_t>(std::ceil(rule.repeatShare * static_cast<double>(again.size()))));
    for (const PointSpec& spec : again) {
        plan.points.push_back({spec, PointRole::Repeat, rule.passes});
    }
    return plan;
}

} // namespace loadline::gpu
