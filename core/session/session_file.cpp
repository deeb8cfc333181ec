// Questions about a session file that need more than a look at a field.
#include "core/session/session_file.h"

namespace loadline {

std::uint64_t humanPrompts(const SessionFile& file) {
    return file.userKinds[static_cast<std::size_t>(UserKind::Human)];
}

} // namespace loadline
