// The name a session goes by.
#pragma once

#include "core/session/facts/record_facts.h"

#include <functional>
#include <string>
#include <vector>

namespace loadline::facts {

/// Custom title, else AI title, else summary, else first human prompt, else a sub-agent's task; of equals the
/// last one (they are rewritten again and again), of prompts the first.
class TitleFinder {
public:
    void add(const TitleFacts& title, const std::string& text);
    void addPrompt(const std::string& preview, UserKind kind);

    /// A summary may name another session's last record: then it counts only if there is no prompt.
    [[nodiscard]] std::string title(const std::function<bool(const Hash128& uuid)>& isHere) const;

private:
    struct Summary {
        Hash128 leaf;
        std::string text;
    };

    std::string custom_, ai_, prompt_, task_;
    std::vector<Summary> summaries_;
};

} // namespace loadline::facts
