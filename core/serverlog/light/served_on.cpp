// The model and the device that serve, as far as a log tells them.
#include "core/cost/device/device_name.h"
#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/server_log.h"
#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

constexpr double fourBitsWithScales = 4.5;

/// The key of the device, if it alone holds all of the model or several share each step; else "", as for a
/// name that no device of the table has.
std::string deviceOf(const ServerLog& log) {
    const std::string_view onCpu = factOf(log, "on_cpu");
    const bool alone = factOf(log, "devices").empty() && (onCpu.empty() || onCpu == "0");
    return alone ? hardwareNamed(factOf(log, "device")) : "";
}

/// The model by the log's names: of a start-up one may name the model and another its bits.
struct NamedInLog {
    NamedModel model;
    std::string name; ///< the last
};

NamedInLog namedIn(const ServerLog& log) {
    constexpr std::uint64_t startUp = 1000; // lines
    NamedInLog named;
    LogLine last;
    for (auto fact = log.facts.rbegin(); fact != log.facts.rend(); ++fact) {
        if (fact->name != "model") {
            continue;
        }
        if (last.line == 0) {
            last = fact->where;
            named.name = fact->value;
        } else if (fact->where.file != last.file || fact->where.line + startUp < last.line) {
            break;
        }
        const NamedModel one = modelNamed(fact->value);
        named.model.model = named.model.model == nullptr ? one.model : named.model.model;
        const bool same = one.model == nullptr || one.model == named.model.model;
        named.model.bitsPerWeight =
            named.model.bitsPerWeight == 0 && same ? one.bitsPerWeight : named.model.bitsPerWeight;
    }
    return named;
}

double numberIn(const ServerLog& log, std::string_view fact) {
    return parseNumber<double>(factOf(log, fact)).value_or(0);
}

/// Whose models are published weights unless their names say otherwise.
bool ofDataCentres(const ServerFormat* server) {
    return server != nullptr && (server->key == "vllm" || server->key == "sglang");
}

/// The mean of a file that keeps experts as the release does: then the other weights' own follows from it, of
/// which a token reads a larger share than the file holds.
void takeMean(ServedOn& served, const ReleasedBits* released, double mean) {
    served.bitsPerWeight = mean;
    if (released == nullptr || released->experts == released->rest) {
        return;
    }
    constexpr double allTokens = 1e9; // a batch that meets every expert
    const double experts = weightsRead(*served.model, allTokens).experts;
    const double others = served.model->totalParameters - experts;
    const double bits = (mean * served.model->totalParameters - released->experts * experts) / others;
    if (bits < released->experts || bits > fp16Bits + 1) { // this file keeps its experts otherwise
        return;
    }
    ReleasedBits parts = *released;
    parts.rest = parts.head = bits;
    parts.format = "experts as released, the rest by the file's mean";
    served.parts = std::make_shared<const ReleasedBits>(parts);
    takeReleased(served, *served.parts);
}

/// The bits of a model that was not chosen with them, and what is assumed of them.
void takeBits(ServedOnLog& result, const NamedInLog& named, const ServerLog& log) {
    ServedOn& served = result.served;
    const bool logs = served.model == named.model.model;
    const double logged = logs ? numberIn(log, "bits_per_weight") : 0;
    const ReleasedBits* released = releasedBitsOf(*served.model, logs ? named.name : "");
    if (logged > 0) {
        takeMean(served, released, logged);
    } else if (logs && named.model.bitsPerWeight > 0 &&
               (released == nullptr || named.model.bitsPerWeight != released->experts)) {
        served.bitsPerWeight = named.model.bitsPerWeight;
    } else if (released != nullptr) {
        takeReleased(served, *released);
        result.assumption =
            fmt::format("weights are taken as released: {} ({})", released->format, released->source);
    } else {
        served.bitsPerWeight = ofDataCentres(log.server) ? fp16Bits : fourBitsWithScales;
        result.assumption =
            fmt::format("{} bits a weight are assumed: no name tells them", served.bitsPerWeight);
    }
}

} // namespace

void takeReleased(ServedOn& served, const ReleasedBits& released) {
    const WeightsRead read = weightsRead(*served.model, 1);
    served.released = &released;
    served.bitsPerWeight =
        (read.experts * released.experts + read.rest * released.rest + read.head * released.head) /
        (read.experts + read.rest + read.head);
}

void takeNamed(ServedOn& served, std::string_view name) {
    const NamedModel named = modelNamed(name);
    served.model = named.model;
    if (named.model == nullptr || named.bitsPerWeight == 0 || served.bitsPerWeight > 0) {
        return;
    }
    const ReleasedBits* released = releasedBitsOf(*named.model, name);
    if (released != nullptr && released->experts == named.bitsPerWeight) {
        takeReleased(served, *released);
    } else {
        served.bitsPerWeight = named.bitsPerWeight;
    }
}

std::shared_ptr<const OwnModel> ownModelOf(const ModelShapes& shapes) {
    auto own = std::make_shared<OwnModel>();
    own->name = shapes.key.empty() ? shapes.name : shapes.key;
    CacheModel& model = own->model;
    model.key = own->name;
    model.source = "its own shapes";
    model.attention = shapes.attention.value_or(AttentionFacts{});
    model.latentValues = model.attention.latentValues;
    model.totalParameters = totalWeights(shapes);
    model.activeParameters = weightsPerRow(shapes);
    for (const LayerGemm& gemm : shapes.gemms) {
        if (gemm.grouped()) {
            model.experts = gemm.experts;
            model.expertsPerToken = gemm.expertsPerRow;
        }
    }
    return own;
}

ServedOnLog servedOnLog(ServedOn chosen, const ServerLog& log) {
    ServedOnLog result{std::move(chosen), ""};
    ServedOn& served = result.served;
    const NamedInLog named = namedIn(log);
    const bool against =
        served.model != nullptr && named.model.model != nullptr && served.model != named.model.model;
    if (served.model == nullptr && served.weightsGBPerToken == 0) {
        served.model = named.model.model;
    }
    if (served.bitsPerWeight == 0 && served.model != nullptr && served.weightsGBPerToken == 0) {
        takeBits(result, named, log);
    }
    const auto sayChosen = [&result](std::string_view what, std::string_view logs) {
        result.assumption += fmt::format("{}the {} is chosen: the log names {}",
                                         result.assumption.empty() ? "" : "; ", what, logs);
    };
    if (against) {
        sayChosen("model", named.model.model->key);
    }
    const std::string device = deviceOf(log);
    if (!served.device.empty() && !device.empty() && served.device != device) {
        sayChosen("device", device);
    }
    if (served.device.empty() && served.bandwidthGBs == 0) {
        served.device = device;
    }
    if (served.devices == 0) {
        constexpr double mostDevices = 1024;
        served.devices = static_cast<int>(std::clamp(numberIn(log, "tensor_parallel"), 1.0, mostDevices));
    }
    return result;
}

} // namespace loadline
