// Reads, predicts and compares.
#include "core/validate/validation.h"

#include "core/base/file/read_file.h"
#include "core/validate/priced_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t mostTableBytes = std::size_t{64} << 20;

/// "meta-llama/Llama-3.1-70B, h200_sxm, fp8"; "" of a row that is not judged.
std::string judgedKeyOf(const MeasuredRow& row) {
    const ServerSettings& settings = row.settings;
    const std::string& format = settings.moeFormat.empty() ? settings.gemmFormat : settings.moeFormat;
    return isJudged(row.label) ? fmt::format("{}, {}, {}", settings.model, settings.system, format)
                               : std::string();
}

std::string otherKeyOf(const MeasuredRow& row) {
    return notJudgedWords(row.label);
}

} // namespace

std::string notJudgedWords(const MeasuredLabel& label) {
    if (isJudged(label)) {
        return {};
    }
    return label.isKvBound      ? "bound by KV"
           : label.tier.empty() ? "no tier"
                                : fmt::format("tier {}", label.tier);
}

std::optional<double> ValidatedServer::tpotError() const {
    const bool isBoth = predicted.notModelled.empty() && predicted.tpotMs > 0 && row.measured.tpotMs;
    return isBoth ? std::optional(predicted.tpotMs / *row.measured.tpotMs - 1) : std::nullopt;
}

Result<Validation> validationOf(const ValidationQuestion& question, const AtlasLibrary& library,
                                const ask::Run& run) {
    if (question.file.empty()) {
        return Error{"no table of measured servers is named", "", "a CSV file with a row a server"};
    }
    const Result<std::string> text = readWholeFile(question.file, "the table of servers", mostTableBytes);
    if (!text) {
        return text.error();
    }
    Result<MeasuredRows> read = readMeasuredRows(*text, question.file);
    if (!read) {
        return read.error();
    }
    std::vector<ServerPrediction> predictions =
        predictServers(read->rows, priceByAtlas(library), run.threads, run.stop, {}, run.progress);
    Validation made{.file = question.file,
                    .servers = {},
                    .errors = errorTableOf(read->rows, predictions),
                    .judged = errorsBy(read->rows, predictions, judgedKeyOf),
                    .others = errorsBy(read->rows, predictions, otherKeyOf),
                    .diagnostics = std::move(read->diagnostics),
                    .notModelled = {},
                    .sources = {},
                    .coverage = stepCoverage(library, run.threads, run.stop)};
    std::set<std::pair<std::string, const ModelShapes*>> known;
    for (std::size_t row = 0; row < predictions.size(); ++row) {
        if (!predictions[row].notModelled.empty()) {
            ++made.notModelled[predictions[row].notModelled];
        } else {
            const ServerSettings& settings = read->rows[row].settings;
            const ModelShapes* const model = shapesOfModel(settings.model);
            const auto surfaces = library.find(settings.system);
            if (model != nullptr && surfaces && known.emplace(surfaces->atlas().gpu(), model).second) {
                addUsedTables(made.sources, surfaces->atlas(), *model);
            }
        }
        made.servers.push_back({std::move(read->rows[row]), std::move(predictions[row])});
    }
    return made;
}

} // namespace loadline
