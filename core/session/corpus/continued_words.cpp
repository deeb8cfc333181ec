#include "core/session/corpus/continued_words.h"

#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline {

std::string continuedPromptsNote(std::uint64_t withoutCache, std::uint64_t sessions) {
    return fmt::format("logs of {} of {} record no cache: a prompt that grows goes on from the one before, "
                       "and the rest is its input (an estimate)",
                       formatExact(static_cast<std::int64_t>(withoutCache)), counted(sessions, "session"));
}

} // namespace loadline
