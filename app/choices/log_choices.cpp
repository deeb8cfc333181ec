// What can be chosen of the charts of a server's log, by its names.
#include "app/choices/log_choices.h"

#include "core/cache/split/cache_model.h"
#include "core/cache/tier/kv_layout.h"
#include "core/cost/device/hardware.h"
#include "core/text/parse_number.h"

#include <string_view>
#include <utility>

namespace loadline::app {
namespace choices {
namespace {

constexpr NumberRange<double> bitsOfWeight{1, 32};
constexpr NumberRange<double> bandwidthsGBs{1, 100'000};
constexpr NumberRange<double> gigabytesPerToken{0.001, 1e5};
constexpr NumberRange<double> kvBytesOfToken{1, 1e9};
constexpr NumberRange<double> logSeconds{0, 1e12};
const std::string logGroup = "Server logs";

/// Divided by commas; one that is part of a path, and a backslash, has a backslash before it.
std::vector<std::string> pathsFromWord(const std::string& word) {
    std::vector<std::string> paths;
    std::string path;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] == ',') {
            paths.push_back(std::exchange(path, {}));
        } else {
            i += word[i] == '\\' && i + 1 < word.size() ? 1 : 0;
            path += word[i];
        }
    }
    paths.push_back(std::move(path));
    std::erase(paths, std::string());
    return paths;
}

std::string wordOfPaths(const std::vector<std::string>& paths) {
    std::string word;
    for (const std::string& path : paths) {
        word += word.empty() ? "" : ",";
        for (const char c : path) {
            word += c == ',' || c == '\\' ? "\\" : "";
            word += c;
        }
    }
    return word;
}

Choice<std::vector<std::string>> pathsChoice(ChoiceSpec spec) {
    spec.accepts = [](const std::string& word) { return word.size() <= mostBytesOfText; };
    return {std::move(spec), pathsFromWord, wordOfPaths};
}

/// "12:345.5"
std::optional<ui::PlotChange::Stretch> stretchFrom(const std::string& word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos) {
        return std::nullopt;
    }
    const auto begin = parseNumber(std::string_view(word).substr(0, colon), logSeconds);
    const auto end = parseNumber(std::string_view(word).substr(colon + 1), logSeconds);
    return begin && end && *begin < *end ? std::optional(ui::PlotChange::Stretch{*begin, *end})
                                         : std::nullopt;
}

Choice<ui::PlotChange::Stretch> stretchChoice(ChoiceSpec spec) {
    spec.accepts = [](const std::string& word) { return stretchFrom(word).has_value(); };
    return {std::move(spec),
            [](const std::string& word) { return stretchFrom(word).value_or(ui::PlotChange::Stretch()); },
            [](const ui::PlotChange::Stretch& stretch) {
                return stretch.end > stretch.begin ? fmt::format("{}:{}", stretch.begin, stretch.end) : "";
            }};
}

ChoiceSpec accepting(ChoiceSpec spec, std::function<bool(const std::string&)> accepts) {
    spec.accepts = std::move(accepts);
    return spec;
}

} // namespace

const Choice<std::vector<std::string>> log =
    pathsChoice({.setting = "log/files",
                 .option = "--log",
                 .help = "The server's log; of one that was rotated all files, oldest first, divided by "
                         "commas",
                 .form = "PATH",
                 .group = logGroup});
const Choice<bool> followLog = flagChoice({.setting = "log/follow"}, false);
const Choice<std::string> logModel =
    textChoice(accepting({.setting = "log/model",
                          .option = "--log-model",
                          .help = "Model that the server ran (as the log says)",
                          .form = "MODEL",
                          .limits = "a model that 'loadline cache --json' lists",
                          .group = logGroup},
                         [](const std::string& word) { return findCacheModel(word) != nullptr; }));
const Choice<std::optional<double>> logBits =
    optionalChoice({.setting = "log/bits",
                    .option = "--log-bits",
                    .help = "Bits per weight, scales included (as the model's name says)",
                    .group = logGroup},
                   bitsOfWeight);
const Choice<double> logKvBytes = numberChoice({.setting = "log/kv_bytes",
                                                .option = "--log-kv-bytes",
                                                .help = "Bytes of a value in the server's KV cache (2)",
                                                .group = logGroup},
                                               ui::ServedSettings().kvBytesPerValue, bytesPerKvValue);
const Choice<std::string> logDevice =
    textChoice(accepting({.setting = "log/device",
                          .option = "--log-device",
                          .help = "Device that the server ran on (as the log says)",
                          .form = "DEVICE",
                          .limits = "a device that 'loadline simulate --profile roofline:...' takes",
                          .group = logGroup},
                         [](const std::string& word) { return findHardware(word) != nullptr; }));
const Choice<std::optional<double>> logBandwidth =
    optionalChoice({.setting = "log/bandwidth_gb_s",
                    .option = "--log-bandwidth",
                    .help = "GB/s of all its memory together (the device's)",
                    .group = logGroup},
                   bandwidthsGBs);
const Choice<std::optional<double>> logGbPerToken =
    optionalChoice({.setting = "log/gb_per_token",
                    .option = "--log-gb-per-token",
                    .help = "1e9 bytes of weights that a stream reads for a token (by the model's shapes)",
                    .group = logGroup},
                   gigabytesPerToken);
const Choice<std::optional<double>> logKvBytesPerToken =
    optionalChoice({.setting = "log/kv_bytes_per_token",
                    .option = "--log-kv-bytes-per-token",
                    .help = "Bytes of KV cache that a token of context takes (by the model's shapes)",
                    .group = logGroup},
                   kvBytesOfToken);
const Choice<bool> logOnlyView =
    flagChoice({.setting = "log/only_view",
                .option = "--log-only-stretch",
                .help = "log-rate: the verdict is on the lines of --log-stretch alone",
                .group = logGroup},
               false);
const Choice<ui::PlotChange::Stretch> logStretch =
    stretchChoice({.setting = "log/stretch",
                   .option = "--log-stretch",
                   .help = "log-time: from A to B seconds after the log's begin (all of it)",
                   .form = "A:B",
                   .group = logGroup});

} // namespace choices

ui::ServedSettings servedSettings(const Choices& all) {
    return {.model = all[choices::logModel],
            .bitsPerWeight = all[choices::logBits],
            .kvBytesPerValue = all[choices::logKvBytes],
            .device = all[choices::logDevice],
            .bandwidthGBs = all[choices::logBandwidth],
            .gbPerToken = all[choices::logGbPerToken],
            .kvBytesPerToken = all[choices::logKvBytesPerToken]};
}

LogRange judgedRange(const Choices& all) {
    const ui::PlotChange::Stretch stretch = all[choices::logStretch];
    return all[choices::logOnlyView] && stretch.end > stretch.begin ? LogRange{stretch.begin, stretch.end}
                                                                    : LogRange();
}

void setServedSettings(Choices& all, const ui::ServedSettings& settings) {
    all.set(choices::logModel, settings.model);
    all.set(choices::logBits, settings.bitsPerWeight);
    all.set(choices::logKvBytes, settings.kvBytesPerValue);
    all.set(choices::logDevice, settings.device);
    all.set(choices::logBandwidth, settings.bandwidthGBs);
    all.set(choices::logGbPerToken, settings.gbPerToken);
    all.set(choices::logKvBytesPerToken, settings.kvBytesPerToken);
}

} // namespace loadline::app
