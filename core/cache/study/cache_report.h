// The answer of `loadline cache` as a report: "loadline.cache/1".
#pragma once

#include "core/cache/study/cache_answer.h"

namespace loadline::ask {

/// "chains": {"main", "sub_agents", "sub_agent_hit", "sub_agent_requests"}: the requests (of sessions, API
/// calls) of sub-agents are left out of all other figures; of sessions, "breaks" has theirs too. Columns read
/// both arguments.
Report cacheReport(const CacheAnswer& answer, const CacheQuestion& question);

} // namespace loadline::ask
