// Reads the folder of a recorded run.
#include "core/replay/engine_run.h"

#include "core/base/file/read_file.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace loadline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostRunFileBytes = std::size_t{256} << 20;

std::string knownModels() {
    std::string names;
    for (const ModelShapes& preset : shapePresets()) {
        if (preset.attention) {
            names += (names.empty() ? "" : ", ") + preset.name;
        }
    }
    return names;
}

} // namespace

bool EngineRun::timed() const {
    return std::ranges::all_of(requests, [](const RecordedRequest& r) { return r.times.has_value(); });
}

bool EngineRun::prompted() const {
    return std::ranges::none_of(requests, [](const RecordedRequest& r) { return r.prompt.empty(); });
}

bool isEngineRun(const std::string& folder) {
    std::error_code failed;
    const fs::path root(folder);
    return fs::is_regular_file(root / "meta.json", failed) &&
           fs::is_regular_file(root / "requests.jsonl", failed) && fs::is_directory(root / "profile", failed);
}

Result<EngineRun> readEngineRun(const std::string& folder, const std::string& prompts) {
    std::error_code failed;
    const fs::path root(folder);
    if (!fs::is_directory(root, failed)) {
        return Error{fs::exists(root, failed) ? "not a recorded run: it is a file" : "no such folder", folder,
                     "a folder with meta.json, requests.jsonl and profile/"};
    }
    const auto pathOf = [&](const char* name) { return (root / name).string(); };
    EngineRun run;
    run.name = root.has_filename() ? root.filename().string() : root.parent_path().filename().string();

    const Result<std::string> metaText =
        readWholeFile(pathOf("meta.json"), "the description of the run", mostRunFileBytes);
    if (!metaText) {
        return metaText.error();
    }
    Result<RunMeta> meta = runMetaFromJson(*metaText, pathOf("meta.json"));
    if (!meta) {
        return meta.error();
    }
    run.meta = std::move(*meta);
    const ModelShapes* model = shapesOfModel(run.meta.model);
    if (model == nullptr) {
        return Error{fmt::format("the layers of the model {} are not known", run.meta.model),
                     pathOf("meta.json"), "a run of one of " + knownModels()};
    }
    run.model = *model;

    const Result<std::string> requestText =
        readWholeFile(pathOf("requests.jsonl"), "the recorded requests", mostRunFileBytes);
    if (!requestText) {
        return requestText.error();
    }
    Result<RunRequests> requests = runRequestsFromJsonLines(*requestText, pathOf("requests.jsonl"));
    if (!requests) {
        return requests.error();
    }
    run.requests = std::move(requests->requests);
    run.diagnostics = std::move(requests->diagnostics);
    run.notes = std::move(requests->notes);
    const std::string promptPath =
        prompts.empty() && fs::exists(root / "prompts.jsonl", failed) ? pathOf("prompts.jsonl") : prompts;
    if (!promptPath.empty()) {
        const Result<std::string> text = readWholeFile(promptPath, "the prompts", mostRunFileBytes);
        if (!text) {
            return text.error();
        }
        if (const Status added = addPrompts(run.requests, *text, promptPath); !added) {
            return added.error();
        }
    }

    Result<LayerTables> tables = readLayerTables(pathOf("profile"), run.meta.tensorParallel);
    if (!tables) {
        return tables.error();
    }
    run.tables = std::move(*tables);
    run.notes.insert(run.notes.end(), run.tables.notes.begin(), run.tables.notes.end());

    if (run.meta.tensorParallel > 1 || fs::exists(root / "peer_config.json", failed)) {
        const Result<std::string> text = readWholeFile(
            pathOf("peer_config.json"), "the peer's description of the machine", mostRunFileBytes);
        if (!text) {
            return text.error();
        }
        Result<PeerConfig> peer = peerConfigFromJson(*text, pathOf("peer_config.json"));
        if (!peer) {
            return peer.error();
        }
        run.peer = *peer;
    }
    if (const Result<std::string> text =
            readWholeFile(pathOf("peer_error_summary.txt"), "the peer's errors", mostRunFileBytes)) {
        run.peerFigures = peerFiguresFromText(*text);
    }
    return run;
}

} // namespace loadline
