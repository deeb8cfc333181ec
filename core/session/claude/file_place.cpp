// Reads a file's place in Claude Code's folders: kind, ids and project from the path, a sub-agent's type from
// the file beside it.
#include "core/base/file/byte_source.h"
#include "core/base/file/read_json.h"
#include "core/session/claude/session_format.h"
#include "core/text/json/json_fields.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <system_error>
#include <vector>

namespace loadline::claude {
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

std::string_view stemOf(std::string_view path) {
    path.remove_prefix(path.rfind('/') + 1); // npos + 1 is 0
    return path.substr(0, path.rfind('.'));
}

/// The path before "projects/<slug>/"; "" elsewhere.
std::string rootOf(const SessionFile& file) {
    if (file.projectSlug.empty()) {
        return "";
    }
    const std::size_t place = file.path.rfind("projects/" + file.projectSlug + "/");
    return place == std::string::npos ? "" : file.path.substr(0, place);
}

} // namespace

/// Reads the place from the path alone (spec section 1.1).
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
            place.role = FileRole::SubAgent;
            place.sessionId = components[i - 1];
        }
    }
    std::string_view stem = components[last];
    stem = stem.substr(0, stem.rfind('.'));
    if (stem.starts_with("agent-")) {
        place.role = FileRole::SubAgent;
        stem.remove_prefix(6);
    }
    if (place.role == FileRole::SubAgent) {
        place.agentId = stem;
        place.lane = laneOf(stem);
    }
    return place;
}

std::string agentTypeIn(std::string_view meta) {
    return textOf(jsonFrom(meta), "agentType");
}

std::string agentTypeBeside(const std::string& path) {
    if (placeOf(path).role != FileRole::SubAgent) {
        return {};
    }
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
    return agentTypeIn(text);
}

SessionBond bondOf(const SessionFile& file) {
    return {.root = rootOf(file),
            .alone = file.sessionId.empty() ||
                     (file.role == FileRole::Main && stemOf(file.path) != file.sessionId)};
}

} // namespace loadline::claude
