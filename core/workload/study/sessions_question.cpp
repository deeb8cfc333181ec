// The fields of pages and charts of sessions, in the order in which the help lists their options.
#include "core/workload/study/sessions_question.h"

#include "core/ask/field_row.h"

#include <array>

namespace loadline {
namespace {

using Q = SessionsQuestion;

constexpr NumberRange<double> axisPlaces{-1e15, 1e15}; // ms since 1970, or turns

// In the order of their enums.
constexpr std::array<ask::Choice, 2> clocks = {{{"utc"}, {"local"}}};
constexpr std::array<ask::Choice, 3> methods = {{{"per-line"}, {"api-call"}, {"prompt"}}};
constexpr std::array<ask::Choice, 2> binKinds = {{{"power-of-two"}, {"fine"}}};
constexpr std::array<ask::Choice, 3> measures = {{{"count"}, {"share"}, {"cumulative"}}};
constexpr std::array<ask::Choice, 3> axes = {{{"wall-clock"}, {"compressed-gaps"}, {"turn-index"}}};
constexpr std::array<ask::Choice, 4> groups = {{{"session"}, {"day"}, {"model"}, {"project"}}};
constexpr std::array<ask::Choice, 6> orders = {
    {{"usual"}, {"name"}, {"tokens"}, {"hit-rate"}, {"hit-rate-per-request"}, {"read-write"}}};

} // namespace

ask::Fields sessionsFields() {
    using D = DistributionOptions;
    using V = TimelineView;
    using C = CompositionView;
    using ask::older;
    using ask::row;
    static const std::array rows = {
        row("method", ask::bound<&Q::distribution, &D::method>(methods),
            {"method", "What a turn is (api-call). per-line: the published script's turns, each user\n"
                       "record one; api-call: each API call once; prompt: from one human prompt\n"
                       "to the next"},
            {}, {}, {}, {.was = older<"distributions/method">}),
        row("bins", ask::bound<&Q::distribution, &D::bins>(binKinds),
            {"bins", "distributions: bins (power-of-two)"}, {}, {}, {}, {.was = older<"distributions/bins">}),
        row("measure", ask::bound<&Q::distribution, &D::measure>(measures),
            {"measure", "distributions: height of a bar (share)"}, {}, {}, {},
            {.was = older<"distributions/measure">}),
        row("reference", ask::bound<&Q::distribution, &D::reference>(),
            {"reference", "distributions: draw the published ones over them"}, {}, {}, {},
            {.was = older<"distributions/reference">}),
        row("show", ask::bound<&Q::session>(),
            {"session", "timeline: id of the session (the one with most tokens in scope)"}, {}, {}, {},
            {.text = {.form = "ID"}, .was = older<"timeline/session">}),
        row("axis", ask::bound<&Q::timeline, &V::axis>(axes),
            {"axis", "timeline: what is even along it (compressed-gaps)"}, {}, {}, {},
            {.was = older<"timeline/axis">}),
        row("view-start", ask::bound<&Q::timeline, &V::start>(),
            {"view's begin", "timeline: first ms, or turn, on the axis"}, axisPlaces, {}, {},
            {.was = older<"timeline/view_start">}),
        row("view-end", ask::bound<&Q::timeline, &V::end>(),
            {"view's end", "timeline: last ms, or turn, on the axis"}, axisPlaces, {}, {},
            {.was = older<"timeline/view_end">}),
        row("zoomed", ask::bound<&Q::zoomed>(), {"zoomed session"}, {}, {}, {},
            {.isOption = false, .was = older<"timeline/zoomed">}),
        row("clock", ask::bound<&Q::clock>(clocks),
            {"clock", "timeline, composition: whose clock times are read by (utc)"}, {}, {}, {},
            {.was = older<"window/clock">}),
        row("group", ask::bound<&Q::group>(groups), {"grouping", "composition: what a row is (session)"}, {},
            {}, {}, {.was = older<"composition/group">}),
        row("per-request", ask::bound<&Q::composition, &C::perRequest>(),
            {"weight", "composition: mean over requests, not over tokens"}, {}, {}, {},
            {.was = older<"composition/per_request">}),
        row("shares", ask::bound<&Q::composition, &C::shares>(), {"unit", "composition: tokens, not shares"},
            {}, {}, {}, {.was = older<"--tokens", "composition/shares">}),
        row("sort-by", ask::bound<&Q::composition, &C::order>(orders),
            {"order", "composition: what rows are sorted by (usual)"}, {}, {}, {},
            {.was = older<"composition/order">}),
        row("reversed", ask::bound<&Q::composition, &C::reversed>(),
            {"reversed order", "composition: the chosen order from its other end"}, {}, {}, {},
            {.was = older<"composition/reversed">})};
    return rows;
}

} // namespace loadline
