// Any bytes as the path of a session file and as the .meta.json beside it: what they tell are parts of them.
#include "core/session/claude/session_format.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace loadline;
    using namespace loadline::fuzz;
    using claude::agentTypeIn;
    using claude::placeOf;
    const auto parts = partsOf(fuzz::textOf(data, size), 2);
    const std::string_view path = parts[0];
    const FilePlace place = placeOf(path);
    for (const std::string* name : {&place.agentId, &place.sessionId, &place.projectSlug}) {
        check(path.find(*name) != std::string_view::npos);
        check(name->find('/') == std::string::npos);
    }
    check((place.role == FileRole::SubAgent) == (place.lane != LaneKind::Main));
    check(place.role == FileRole::SubAgent || (place.agentId.empty() && place.sessionId.empty()));
    if (path.find_first_not_of('/') != std::string_view::npos) {
        const FilePlace below = placeOf("/home/me/projects/-a/" + std::string(path));
        check(below.projectSlug == (place.projectSlug.empty() ? "-a" : place.projectSlug));
    }

    const std::string type = agentTypeIn(parts[1]);
    check(type.size() <= parts[1].size());
    if (!type.empty()) {
        check(parts[1].find("agentType") != std::string_view::npos || // else its name is escaped
              parts[1].find('\\') != std::string_view::npos);
    }
    return 0;
}
