// From a server's log to what its page shows.
#include "app/serverlog/log_shown.h"

#include "app/options/shell_words.h"
#include "core/cache/split/cache_model.h"
#include "core/serverlog/files/read_server_log.h"
#include "core/text/parse_number.h"
#include "core/workload/source/workload_of_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

namespace loadline::app {
namespace {

/// The command that gives the same verdict.
std::string commandOf(const LogFigure& figure) {
    std::string words = "loadline log";
    for (const std::string& file : figure.log->files) {
        words += " " + quotedForShell(file);
    }
    if (figure.verdict.light) {
        const ServedOn& served = figure.verdict.light->served();
        words += served.model == nullptr ? "" : fmt::format(" --model {}", served.model->key);
        words += served.released == nullptr && served.bitsPerWeight > 0
                     ? fmt::format(" --bits {}", served.bitsPerWeight)
                     : "";
        words += served.device.empty() ? "" : " --device " + quotedForShell(served.device);
        words += served.bandwidthGBs > 0 ? fmt::format(" --bandwidth-gb-per-s {}", served.bandwidthGBs) : "";
        words +=
            served.weightsGBPerToken > 0 ? fmt::format(" --gb-per-token {}", served.weightsGBPerToken) : "";
        words += served.kvBytesPerValue != ServedOn().kvBytesPerValue
                     ? fmt::format(" --kv-bytes {}", served.kvBytesPerValue)
                     : "";
        words +=
            served.kvBytesPerToken > 0 ? fmt::format(" --kv-bytes-per-token {}", served.kvBytesPerToken) : "";
    }
    if (figure.range.restricts()) {
        words += fmt::format(" --from {} --to {}", figure.range.fromS, figure.range.toS);
    }
    return words;
}

std::string reasonAgainstReplay(const ServerLog& log) {
    if (log.files.size() != 1) {
        return "The simulator takes a log of one file";
    }
    const Result<Workload> workload = workloadOfLog(log, log.files.front());
    return workload ? "" : workload.error().what;
}

/// Returns 2 of "server.log.2" and "server.log.2.gz"; 0 of "server.log", the one that is written.
std::uint64_t rotationOf(const std::string& file) {
    std::filesystem::path name = std::filesystem::path(file).filename();
    static constexpr std::array packed = {".gz", ".zst", ".xz", ".bz2"};
    if (std::ranges::find(packed, name.extension()) != packed.end()) {
        name = name.stem();
    }
    const std::string last = name.extension().string();
    constexpr NumberRange<std::uint64_t> rotations{0, 99'999};
    return last.size() < 2 ? 0 : parseNumber(std::string_view(last).substr(1), rotations).value_or(0);
}

} // namespace

LogRead logOf(const std::vector<std::string>& files, const std::stop_token& stop, PageProgress& progress) {
    LogRead read{files, nullptr, std::nullopt};
    Result<ServerLog> log = readServerLog(files, stop, progress.reading);
    if (log) {
        read.log = std::make_shared<const ServerLog>(std::move(*log));
    } else {
        read.error = log.error();
    }
    return read;
}

LogShown shownOf(const LogQuestion& question, const LogShown* last) {
    const bool same = last != nullptr && last->figure->log == question.log;
    LogShown shown{question.served,
                   std::make_shared<const LogFigure>(
                       logFigureOf(question.log, servedOn(question.served), question.range)),
                   nullptr, same ? last->whyNoReplay : reasonAgainstReplay(*question.log)};
    shown.scene = same ? last->scene : ui::sceneOf(shown.figure);
    return shown;
}

ServedSettings settled(const LogShown& shown) {
    ServedSettings settings = shown.served;
    const ServedOn served = servedOnLog(servedOn(settings), shown.log()).served;
    if (served.model != nullptr && served.own == nullptr) {
        settings.model = served.model->key;
        if (served.released == nullptr) { // else its parts differ, which one number does not say
            settings.bitsPerWeight = served.bitsPerWeight;
        }
    }
    settings.device = served.device;
    return settings;
}

double servedBits(const LogShown& shown) {
    return servedOnLog(servedOn(shown.served), shown.log()).served.bitsPerWeight;
}

std::string writtenNow() {
    using namespace std::chrono;
    return utcDay(TimeMs{duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()});
}

double sinceWrittenS(const std::string& path) {
    using namespace std::chrono;
    std::error_code problem;
    const auto written = std::filesystem::last_write_time(path, problem);
    return problem ? 0 : duration<double>(system_clock::now() - file_clock::to_sys(written)).count();
}

Result<std::string> verdictText(const LogFigure& figure, const std::stop_token& stop) {
    const std::vector<LogLine> lines = evidenceOf(figure.verdict);
    const Result<std::vector<std::string>> texts = readLogLines(figure.log->files, lines, stop);
    if (!texts) {
        return texts.error();
    }
    return markdownOf(figure.verdict, *figure.log, *texts, {writtenNow(), commandOf(figure)});
}

std::vector<std::string> oldestFirst(std::vector<std::string> files) {
    std::ranges::stable_sort(files, std::greater<>(), rotationOf);
    return files;
}

std::vector<std::string> asRotated(std::vector<std::string> files) {
    std::ranges::sort(files);
    return oldestFirst(std::move(files));
}

} // namespace loadline::app
