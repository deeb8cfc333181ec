// The content of the Cache page: of the sessions in scope, or of a trace; never of both.
#pragma once

#include "app/asked/figures.h"
#include "app/job/page_progress.h"
#include "core/cache/figure/cache_figure.h"
#include "core/cache/figure/request_parts.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace loadline::app {

struct CacheShown {
    Scoped scoped;     ///< null: of the trace
    std::string trace; ///< its path; "": of the sessions
    std::shared_ptr<const CacheFigure> figure;
    std::optional<Error> error; ///< why there is no figure
    SubAgents agents = SubAgents::Apart;
};

/// `trace`: "" for the sessions, whose scope must be there then.
CacheShown cacheOf(const Scoped& scoped, const std::string& trace, SubAgents agents,
                   const std::stop_token& stop, PageProgress& progress);

/// Returns the requests of the session that `session` names (sessionShown), or of the trace's chain `chain`
/// (chainShown).
std::shared_ptr<const NamedRequests> requestsShown(const CacheShown& shown, const std::string& session,
                                                   const std::string& chain);

} // namespace loadline::app
