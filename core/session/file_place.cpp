#include "core/session/file_place.h"

#include "core/base/byte_source.h"
#include "core/base/read_json.h"
#include "core/text/json_fields.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <system_error>
#include <vector>

namespace loadline {
namespace {

constexpr std::size_t maxMetaBytes = std::size_t{64} << 10;

std::vector<std::string_view> componentsOf(std::string_view path) {
    std::vector<std::string_view> components;
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        if (slash != 0) {
            components.push_back(path.substr(0, slash));
        }
        path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    }
    return components;
}

LaneKind laneOf(std::string_view agentId) {
    if (agentId.starts_with("acompact")) {
        return LaneKind::Compaction;
    }
    return agentId.starts_with("aprompt_suggestion") ? LaneKind::PromptSuggestion : LaneKind::SubAgent;
}

} // namespace

FilePlace placeOf(std::string_view path) {
    FilePlace place;
    const std::vector<std::string_view> components = componentsOf(path);
    if (components.empty()) {
        return place;
    }
    const std::size_t last = components.size() - 1;
    for (std::size_t i = 0; i < last; ++i) {
        if (components[i] == "projects" && i + 1 < last) {
            place.projectSlug = components[i + 1];
        }
        if (components[i] == "subagents" && i > 0) {
            place.kind = FileKind::SubAgent;
            place.sessionId = components[i - 1];
        }
    }
    std::string_view stem = components[last];
    stem = stem.substr(0, stem.rfind('.'));
    if (stem.starts_with("agent-")) {
        place.kind = FileKind::SubAgent;
        stem.remove_prefix(6);
    }
    if (place.kind == FileKind::SubAgent) {
        place.agentId = stem;
        place.lane = laneOf(stem);
    }
    return place;
}

std::string agentTypeBeside(const std::string& path) {
    const std::string beside = path.substr(0, path.rfind('.')) + ".meta.json";
    std::error_code failed;
    if (std::filesystem::is_symlink(beside, failed)) { // it may lead out of the folder
        return {};
    }
    const FileSource meta(beside);
    if (!meta.problem().empty() || meta.size() > maxMetaBytes) {
        return {};
    }
    std::string text(meta.size(), '\0');
    const std::int64_t got = meta.read(text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return textOf(jsonFrom(text), "agentType");
}

} // namespace loadline
