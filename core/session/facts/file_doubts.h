// Doubts about a whole file: several sessions in one file, and prompts that are counted twice.
#pragma once

#include "core/session/session_file.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace loadline::facts {

/// Finds files into which several sessions were joined: their records name several sessions, of which none
/// goes on from another. Fed with the records of a file that have a uuid, in order.
class JoinedSessions {
public:
    /// `number`, `parent`: of the record and its parent in the file; HashIndex::none: the parent is not in
    /// it.
    void add(std::uint32_t number, std::uint32_t parent, const std::string& sessionId, std::uint32_t line);
    /// Returns the line of the first record of a second session; nothing if the file is of one session, or
    /// named after one of them as programs name theirs.
    [[nodiscard]] std::optional<std::uint32_t> secondBegins(const std::string& path) const;
    [[nodiscard]] std::size_t sessions() const { return numbers_.size(); }

private:
    std::map<std::string, std::uint32_t> numbers_;
    std::vector<std::uint32_t> sessionOf_; ///< by record's number
    std::string last_;
    std::uint32_t lastNumber_ = 0;
    std::uint32_t secondLine_ = 0; ///< 0: there is one session
    bool crosses_ = false;         ///< a record goes on from one of another session
};

/// Returns the first call that shows that input_tokens hold what was read from the cache, too; null if the
/// calls do not show it. Shown by reads that are as long as what the call before counts as uncached, though
/// it read a part of its prompt itself: a prefix can end there only if the uncached count is the whole
/// prompt.
const ApiCall* countsReadsTwice(const std::vector<ApiCall>& calls);

} // namespace loadline::facts
