// Folders as the agent lays them out.
#include "tests/tools/generate/transcript/session_names.h"

#include <fmt/format.h>

#include <cctype>

namespace loadline::generate {

SessionNames::SessionNames(const std::string& folder, const std::string& project, std::uint64_t own,
                           std::uint64_t told)
    : cwd_("/home/user/" + project) {
    static constexpr std::array<std::string_view, 8> how = {"quiet", "bright", "salty", "early",
                                                            "calm",  "brisk",  "amber", "steady"};
    static constexpr std::array<std::string_view, 8> doing = {"drifting", "rowing",  "wading",   "turning",
                                                              "rising",   "sailing", "anchored", "floating"};
    static constexpr std::array<std::string_view, 8> who = {"heron", "gull", "otter", "crab",
                                                            "seal",  "tern", "eel",   "cod"};
    static constexpr std::array<std::string_view, 4> branches = {"main", "main", "summer-time",
                                                                 "offline-pages"};
    Random ownRandom(mixed(own, 0x1d));
    Random toldRandom(mixed(told, 0x51));
    sessionId_ = uuid(ownRandom);
    slug_ = fmt::format("{}-{}-{}", toldRandom.oneOf(how), toldRandom.oneOf(doing), toldRandom.oneOf(who));
    gitBranch_ = toldRandom.oneOf(branches);
    std::string slug = cwd_;
    for (char& c : slug) {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    }
    projectFolder_ = folder + "/projects/" + slug + "/";
}

Identity SessionNames::identity(const CliVersion& version) const {
    return {&version, sessionId_, "", cwd_, gitBranch_, slug_, false};
}

std::string SessionNames::subAgentFile(SubAgentPlace place, const std::string& agentId) const {
    switch (place) {
    case SubAgentPlace::Inline:
        return "";
    case SubAgentPlace::BesideSessions:
        return projectFolder_ + "agent-" + agentId;
    case SubAgentPlace::Folder:
        break;
    }
    return projectFolder_ + sessionId_ + "/subagents/agent-" + agentId;
}

} // namespace loadline::generate
