// Reads, predicts and compares.
#include "core/validate/validation.h"

#include "core/base/file/read_file.h"
#include "core/validate/priced_server.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t mostTableBytes = std::size_t{64} << 20;

std::optional<double> relativeErrorOf(double predicted, std::optional<double> measured, bool isModelled) {
    return isModelled && predicted > 0 && measured && *measured > 0 ? std::optional(predicted / *measured - 1)
                                                                    : std::nullopt;
}

std::string pairOf(const MeasuredRow& row) {
    const ServerSettings& settings = row.settings;
    const std::string& format = settings.moeFormat.empty() ? settings.gemmFormat : settings.moeFormat;
    return fmt::format("{}, {}, {}", settings.model, settings.system, format);
}

} // namespace

std::optional<double> ValidatedServer::ttftError() const {
    return relativeErrorOf(predicted.ttftMs, row.measured.ttftMs, predicted.notModelled.empty());
}

std::optional<double> ValidatedServer::tpotError() const {
    return relativeErrorOf(predicted.tpotMs, row.measured.tpotMs, predicted.notModelled.empty());
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
                    .byPair = judgedErrorsBy(read->rows, predictions, pairOf),
                    .diagnostics = std::move(read->diagnostics),
                    .notModelled = {},
                    .sources = {}};
    for (std::size_t row = 0; row < predictions.size(); ++row) {
        if (!predictions[row].notModelled.empty()) {
            ++made.notModelled[predictions[row].notModelled];
        } else if (const auto surfaces = library.find(read->rows[row].settings.system)) {
            if (const AtlasTable* const table = surfaces->atlas().table(AtlasKind::Gemm)) {
                made.sources.emplace(surfaces->atlas().gpu(), table->source);
            }
        }
        made.servers.push_back({std::move(read->rows[row]), std::move(predictions[row])});
    }
    return made;
}

} // namespace loadline
