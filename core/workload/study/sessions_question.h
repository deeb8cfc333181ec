// The question of the pages and charts of sessions, beside the scope: one struct, and its fields.
#pragma once

#include "core/ask/field.h"
#include "core/base/zone.h"
#include "core/cache/composition/composition_view.h"
#include "core/workload/distribution/distribution_figure.h"
#include "core/workload/timeline/timeline_view.h"

#include <string>

namespace loadline {

struct SessionsQuestion {
    Zone clock = Zone::Utc; ///< setShownZone
    DistributionOptions distribution;
    /// Session::key, id or its unique beginning; outside of the scope or "": most tokens in scope.
    std::string session;
    TimelineView timeline; ///< of `zoomed`
    std::string zoomed;    ///< Session::key; others are shown whole
    CompositionGroup group = CompositionGroup::Session;
    CompositionView composition;
    bool operator==(const SessionsQuestion&) const = default;

    /// The part of this session's timeline that is shown.
    [[nodiscard]] TimelineView timelineOf(const std::string& sessionKey) const {
        return sessionKey == zoomed ? timeline : TimelineView{timeline.axis};
    }
};

ask::Fields sessionsFields();

} // namespace loadline
