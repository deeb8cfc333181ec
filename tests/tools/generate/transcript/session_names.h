// The names of a session and of its files.
#pragma once

#include "tests/tools/generate/transcript/transcript.h"

namespace loadline::generate {

class SessionNames {
public:
    /// `own` seeds what belongs to this session alone, `told` what a copy shares with its original.
    SessionNames(const std::string& folder, const std::string& project, std::uint64_t own,
                 std::uint64_t told);

    [[nodiscard]] Identity identity(const CliVersion& version) const;
    [[nodiscard]] std::string mainFile() const { return projectFolder_ + sessionId_ + ".jsonl"; }
    /// Returns the path of a sub-agent's file without its ending; "" for agents inside the main file.
    [[nodiscard]] std::string subAgentFile(SubAgentPlace place, const std::string& agentId) const;

private:
    std::string projectFolder_; ///< with a "/" at the end
    std::string cwd_;
    std::string sessionId_;
    std::string slug_;
    std::string gitBranch_;
};

} // namespace loadline::generate
