// Looks formats up in the table of file kinds.
#include "core/session/files/session_formats.h"

#include "core/session/files/file_kind.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace loadline {

std::vector<const SessionFormat*> sessionFormats() {
    std::vector<const SessionFormat*> formats;
    for (const FileKind& kind : fileKinds()) {
        if (kind.sessions != nullptr) {
            formats.push_back(kind.sessions);
        }
    }
    return formats;
}

const SessionFormat* formatOfAgent(std::string_view agent) {
    const std::vector<const SessionFormat*> formats = sessionFormats();
    const auto found = std::ranges::find(formats, agent, &SessionFormat::agent);
    return found == formats.end() ? nullptr : *found;
}

std::string sessionPrograms(std::string_view between, std::string_view keeps) {
    std::string programs;
    for (const SessionFormat* format : sessionFormats()) {
        programs += programs.empty() ? "" : between;
        programs += format->program;
        programs += keeps;
        programs += keeps.empty() ? "" : format->home;
    }
    return programs;
}

std::vector<std::string> defaultSessionFolders() {
    std::vector<std::string> folders;
    for (const SessionFormat* format : sessionFormats()) {
        for (std::string& folder : format->folders()) {
            std::error_code error;
            if (std::filesystem::is_directory(folder, error) &&
                std::ranges::find(folders, folder) == folders.end()) {
                folders.push_back(std::move(folder));
            }
        }
    }
    return folders;
}

} // namespace loadline
