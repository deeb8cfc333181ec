// The fields of a question about a server's log.
#include "core/ask/field_row.h"
#include "core/cache/split/cache_model.h"
#include "core/cache/tier/kv_layout.h"
#include "core/cost/device/hardware.h"
#include "core/serverlog/study/log_question.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

using Q = ServerLogQuestion;
using S = ServedSettings;
using Part = ask::FormPart;
using Scale = ask::SliderScale;

constexpr NumberRange<double> bitsOfWeight{1, 32};
constexpr NumberRange<double> bandwidthsGBs{1, 1e6};
constexpr NumberRange<double> gigabytesPerToken{0.001, 1e5};
constexpr NumberRange<double> kvBytesOfToken{1, 1e9};
constexpr NumberRange<double> logSeconds{0, 1e12};
constexpr NumberRange<double> logDevices{1, 1024};

/// Divided by commas; one that is part of a path, and a backslash, has a backslash before it.
bool readLogFiles(Q& q, std::string_view text) {
    std::vector<std::string> paths;
    std::string path;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ',') {
            paths.push_back(std::exchange(path, {}));
        } else {
            i += text[i] == '\\' && i + 1 < text.size() ? 1 : 0;
            path += text[i];
        }
    }
    paths.push_back(std::move(path));
    std::erase(paths, std::string());
    q.files = std::move(paths);
    return true;
}

std::string logFilesText(const Q& q) {
    std::string text;
    for (const std::string& path : q.files) {
        text += text.empty() ? "" : ",";
        for (const char c : path) {
            text += c == ',' || c == '\\' ? "\\" : "";
            text += c;
        }
    }
    return text;
}

/// "12:345.5"; "": all.
bool readStretch(Q& q, std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto begin = parseNumber(text.substr(0, colon), logSeconds);
    const auto end = parseNumber(text.substr(std::min(colon + 1, text.size())), logSeconds);
    const bool isStretch = begin && end && *begin < *end;
    if (isStretch || text.empty()) {
        q.stretch = isStretch ? LogRange{*begin, *end} : LogRange();
    }
    return isStretch || text.empty();
}

std::string stretchText(const Q& q) {
    return q.stretch.restricts() ? fmt::format("{}:{}", q.stretch.fromS, q.stretch.toS) : "";
}

bool isServedModel(std::string_view text) {
    return text.empty() || findCacheModel(text) != nullptr;
}

bool holdsModel(std::string_view text) {
    return modelNamed(text).model != nullptr;
}

bool isServedDevice(std::string_view text) {
    return text.empty() || findHardware(text) != nullptr;
}

} // namespace

ServedOn servedOn(const ServedSettings& settings) {
    ServedOn served{.model = findCacheModel(settings.model),
                    .kvBytesPerValue = settings.kvBytesPerValue,
                    .device = settings.device,
                    .bandwidthGBs = settings.bandwidthGBs.value_or(0),
                    .devices = settings.devices.value_or(0),
                    .weightsGBPerToken = settings.gbPerToken.value_or(0),
                    .kvBytesPerToken = settings.kvBytesPerToken.value_or(0)};
    if (served.model == nullptr) {
        takeNamed(served, settings.model);
    }
    served.bitsPerWeight = settings.bitsPerWeight.value_or(served.bitsPerWeight);
    return served;
}

ask::Fields logFields() {
    using ask::row;
    static const std::vector<ask::Field> rows = ask::inGroup(
        "Server logs",
        {row("log", ask::inWords<Q>(),
             {"log", "The server's log; of one that was rotated all files, oldest first, divided by commas"},
             {}, {}, {},
             {.text = {.form = "PATH",
                       .text = ask::textBy<logFilesText, Q>,
                       .read = ask::readBy<readLogFiles, Q>},
              .was = ask::older<"log/files">}),
         row("follow", ask::bound<&Q::follow>(), {"follow"}, {}, {}, {}, {.isOption = false}),
         row("log-stretch", ask::inWords<Q>(),
             {"stretch", "log-time: from A to B seconds after the log's begin (all of it)"}, {}, {}, {},
             {.text = {.form = "A:B",
                       .text = ask::textBy<stretchText, Q>,
                       .read = ask::readBy<readStretch, Q>}}),
         row("log-model", ask::bound<&Q::served, &S::model>(),
             {"model", "Model that the server ran (as the log says)"}, {},
             {Part::Asks, 1, "Model", "Its weights are read for every token, and the KV cache of its context",
              nullptr, nullptr, "list"},
             {},
             {.text = {.form = "MODEL",
                       .read = ask::readIf<isServedModel, &Q::served, &S::model>,
                       .limits = "a model that 'loadline cache --json' lists"}}),
         row("log-bits", ask::bound<&Q::served, &S::bitsPerWeight>(),
             {"bits per weight", "Bits per weight, scales included (as the model's name says)"}, bitsOfWeight,
             {Part::Asks, 2, "Bits per weight",
              "With scales: 4 bits in groups of 64 take 4.5. Auto: as the model's name says"},
             {1, 32, Scale::Log, "", "auto"}),
         row("log-kv-bytes", ask::bound<&Q::served, &S::kvBytesPerValue>(),
             {"bytes of a KV value", "Bytes of a value in the server's KV cache (2)"}, bytesPerKvValue,
             {Part::Asks, 3, "KV bytes per value", "2 for bf16, 1 for fp8"}, {0.25, 4}),
         row("log-gb-per-token", ask::bound<&Q::served, &S::gbPerToken>(),
             {"weights read for a token",
              "1e9 bytes of weights that one stream reads for a token, of any model (by the model's shapes)"},
             gigabytesPerToken,
             {Part::Asks, 4, "Weights a token",
              "1e9 bytes of weights that one stream reads for a token, of any model, known or not"},
             {0.1, 1000, Scale::Log, "GB", "model's"}),
         row("log-kv-bytes-per-token", ask::bound<&Q::served, &S::kvBytesPerToken>(),
             {"KV cache of a token", "Bytes of KV cache that a token of context takes, on all devices "
                                     "together (by the model's shapes)"},
             kvBytesOfToken,
             {Part::Asks, 5, "KV a token",
              "Bytes of KV cache that a token of context takes, on all devices together"},
             {1, 1e7, Scale::Log, "B", "model's"}),
         row("log-device", ask::bound<&Q::served, &S::device>(),
             {"device", "Device that the server ran on (as the log says)"}, {},
             {Part::Holds, 1, "Device", "Its memory's bandwidth sets the ceiling", nullptr, nullptr, "list"},
             {},
             {.text = {.form = "DEVICE",
                       .read = ask::readIf<isServedDevice, &Q::served, &S::device>,
                       .limits = "a device that 'loadline simulate --profile roofline:...' takes"}}),
         row("log-bandwidth-gb-per-s", ask::bound<&Q::served, &S::bandwidthGBs>(),
             {"bandwidth", "Memory bandwidth of all devices together, 1e9 bytes (the device's)"},
             bandwidthsGBs,
             {Part::Holds, 2, "Bandwidth", "Of all devices together, where it is not the device's own"},
             {1, 100'000, Scale::Log, "GB/s", "device's"},
             {.was = ask::older<"--log-bandwidth", "log/bandwidth_gb_s">}),
         row("log-only-stretch", ask::bound<&Q::onlyView>(),
             {"judged stretch", "log-rate: the verdict is on the lines of --log-stretch alone"}, {}, {}, {},
             {.was = ask::older<"log/only_view">})});
    return rows;
}

ask::Fields logCommandFields() {
    static const std::string models = "a name with one of: " + brokenAfterCommas(keyList(cacheModels()));
    static const std::string devices = brokenAfterCommas(keyList(hardwareTable()));
    static const std::vector<ask::Field> rows = [] {
        std::vector<ask::Field> all;
        for (const std::string_view key :
             {"log-model", "log-device", "log-bandwidth-gb-per-s", "log-gb-per-token",
              "log-kv-bytes-per-token", "log-bits", "log-kv-bytes"}) {
            ask::Field shared = ask::fieldOf(logFields(), key);
            shared.key = key.substr(std::string_view("log-").size());
            shared.words.group = {};
            shared.traits.was = {};
            all.push_back(shared);
        }
        ask::Field& model = all[0];
        model.words.help = "What is served, by a name that holds a model's key, and may tell its bits "
                           "(mlx-community/gemma-3-12b-it-4bit); without it the log's";
        model.traits.text.form = "NAME";
        model.traits.text.read = ask::readIf<holdsModel, &Q::served, &S::model>;
        model.traits.text.limits = models;
        all[1].words.help = "What it is served on";
        all[1].traits.text.form = "KEY";
        all[1].traits.text.limits = devices;
        all.push_back(ask::row("tensor-parallel", ask::bound<&Q::served, &S::devices>(),
                               {"devices", "Devices that share each step (as the log tells, else 1)"},
                               logDevices));
        all.push_back(ask::row("from", ask::bound<&Q::range, &LogRange::fromS>(),
                               {"first second", "The verdict is on the lines from so many seconds after the "
                                                "log's first time (0)"},
                               logSeconds));
        all.push_back(ask::row("to", ask::bound<&Q::range, &LogRange::toS>(),
                               {"last second", "... to so many (the last)"}, logSeconds));
        return all;
    }();
    return rows;
}

} // namespace loadline
