#include "core/session/facts/file_doubts.h"

#include "core/base/hash_index.h"
#include "core/session/automatic_cache.h"

#include <utility>

namespace loadline::facts {
namespace {

std::string stemOfPath(const std::string& path) {
    const std::string name = path.substr(path.find_last_of('/') + 1); // npos + 1 is 0
    return name.substr(0, name.rfind('.'));
}

} // namespace

void JoinedSessions::add(std::uint32_t number, std::uint32_t parent, const std::string& sessionId,
                         std::uint32_t line) {
    constexpr std::uint32_t none = HashIndex::none;
    if (sessionId.empty()) {
        return;
    }
    if (sessionId != last_) {
        last_ = sessionId;
        lastNumber_ =
            numbers_.try_emplace(sessionId, static_cast<std::uint32_t>(numbers_.size())).first->second;
        secondLine_ = secondLine_ == 0 && lastNumber_ > 0 ? line : secondLine_;
    }
    sessionOf_.resize(number + std::size_t{1}, none);
    sessionOf_[number] = lastNumber_;
    const std::uint32_t before = parent < sessionOf_.size() ? sessionOf_[parent] : none;
    crosses_ = crosses_ || (before != none && before != lastNumber_);
}

std::optional<std::uint32_t> JoinedSessions::secondBegins(const std::string& path) const {
    const bool joined = numbers_.size() > 1 && !crosses_ && !numbers_.contains(stemOfPath(path));
    return joined ? std::optional(secondLine_) : std::nullopt;
}

const ApiCall* countsReadsTwice(const std::vector<ApiCall>& calls) {
    std::map<std::pair<LaneIndex, NameIndex>, const ApiCall*> last;
    const ApiCall* shown = nullptr;
    std::uint64_t pairs = 0;
    std::uint64_t shows = 0;
    for (const ApiCall& call : calls) {
        const Tokens read = call.usage.cacheRead;
        const ApiCall* const before = std::exchange(last[{call.lane, call.model}], &call);
        if (read > call.usage.input) {
            return nullptr; // of a whole prompt no more than all can be read
        }
        if (before == nullptr || read == 0 || before->usage.cacheRead == 0) {
            continue;
        }
        ++pairs;
        if (isWholeBlocksOf(read, before->usage.input)) {
            ++shows;
            shown = shown == nullptr ? &call : shown;
        }
    }
    return 2 * shows > pairs ? shown : nullptr;
}

} // namespace loadline::facts
