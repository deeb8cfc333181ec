// Finds the folders in which Claude Code keeps this user's sessions.
#include "core/session/claude/session_format.h"

#include <cstdlib>

namespace loadline::claude {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here sets variables
    return value ? value : "";
}

} // namespace

std::vector<std::string> sessionFolders() {
    std::vector<std::string> roots;
    std::string configured = variable("CLAUDE_CONFIG_DIR");
    const std::string home = variable("HOME");
    if (!configured.empty()) {
        configured += ',';
        for (std::size_t begin = 0; begin < configured.size();) {
            const std::size_t comma = configured.find(',', begin);
            std::string root = configured.substr(begin, comma - begin);
            begin = comma + 1;
            const std::size_t first = root.find_first_not_of(" \t");
            root = first == std::string::npos ? ""
                                              : root.substr(first, root.find_last_not_of(" \t") + 1 - first);
            if (root == "~" || root.starts_with("~/")) {
                root.replace(0, 1, home);
            }
            if (!root.empty()) {
                roots.push_back(root);
            }
        }
    } else if (!home.empty()) {
        roots = {home + "/.claude", home + "/.config/claude"};
    }
    std::vector<std::string> folders;
    for (std::string root : roots) {
        while (root.size() > 1 && root.ends_with('/')) {
            root.pop_back();
        }
        folders.push_back(root.ends_with("/projects") ? root : root + "/projects");
    }
    return folders;
}

} // namespace loadline::claude
