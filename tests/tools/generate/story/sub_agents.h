// The agents that a session's main agent sends out, and the calls the client makes on its own.
#pragma once

#include "tests/tools/generate/story/strand.h"
#include "tests/tools/generate/transcript/session_names.h"

#include <array>
#include <string_view>

namespace loadline::generate {

class SubAgents {
public:
    SubAgents(World& world, Transcript& main, Random& random, const SessionNames& names,
              const std::array<std::string_view, 3>& models)
        : world_(world), main_(main), random_(random), names_(names), models_(models) {}

    /// Serves the strand's Task tool and its compactions.
    void attachTo(Strand& strand);

    /// The first failure to write one of their files.
    [[nodiscard]] const Status& status() const { return status_; }

private:
    void run(std::string& members, ToolUseAsked& asked);
    void summarize(TimeMs now, Tokens before, Tokens summary);
    void mirrorInto(Strand& agent, const std::string& agentId, const std::string& toolUseId);
    [[nodiscard]] Identity identityOf(const std::string& agentId) const;
    void writeMeta(const std::string& stem, const std::string& description, const ToolUseAsked& asked);
    void close(OutFile& file);

    World& world_;
    Transcript& main_;
    Random& random_;
    const SessionNames& names_;
    std::array<std::string_view, 3> models_;
    Status status_ = Done{};
};

} // namespace loadline::generate
