// What can be chosen of the charts of sessions, by its names.
#include "app/choices/session_choices.h"

namespace loadline::app {
namespace choices {
namespace {

constexpr NumberRange<double> axisPlaces{-1e15, 1e15}; // ms since 1970, or turns

} // namespace

const Choice<Zone> clock = wordChoice({.setting = "window/clock",
                                       .option = "--clock",
                                       .help = "timeline, composition: whose clock times are read by (utc)"},
                                      Zone::Utc, {Zone::Utc, Zone::Local});
const Choice<TurnMethod> method =
    wordChoice({.setting = "distributions/method", .option = "--method", .help = "What a turn is (api-call)"},
               TurnMethod::ApiCall, {TurnMethod::PerLine, TurnMethod::ApiCall, TurnMethod::Prompt});
const Choice<BinKind> bins = wordChoice(
    {.setting = "distributions/bins", .option = "--bins", .help = "distributions: bins (power-of-two)"},
    BinKind::PowerOfTwo, {BinKind::PowerOfTwo, BinKind::FineLog});
const Choice<Measure> measure =
    wordChoice({.setting = "distributions/measure",
                .option = "--measure",
                .help = "distributions: height of a bar (share)"},
               Measure::Share, {Measure::Count, Measure::Share, Measure::Cumulative});
const Choice<bool> reference = flagChoice({.setting = "distributions/reference",
                                           .option = "--reference",
                                           .help = "distributions: draw the published ones over them"},
                                          false);
const Choice<std::string> session =
    textChoice({.setting = "timeline/session",
                .option = "--show",
                .help = "timeline: id of the session (the one with most tokens in scope)",
                .form = "ID"});
const Choice<TimelineAxis> axis =
    wordChoice({.setting = "timeline/axis",
                .option = "--axis",
                .help = "timeline: what is even along it (compressed-gaps)"},
               TimelineAxis::CompressedGaps,
               {TimelineAxis::WallClock, TimelineAxis::CompressedGaps, TimelineAxis::TurnIndex});
const Choice<double> viewStart = numberChoice({.setting = "timeline/view_start",
                                               .option = "--view-start",
                                               .help = "timeline: first ms, or turn, on the axis"},
                                              ui::TimelineView{}.start, axisPlaces);
const Choice<double> viewEnd = numberChoice({.setting = "timeline/view_end",
                                             .option = "--view-end",
                                             .help = "timeline: last ms, or turn, on the axis"},
                                            ui::TimelineView{}.end, axisPlaces);
const Choice<std::string> zoomedSession = textChoice({.setting = "timeline/zoomed"});
const Choice<CompositionGroup> group = wordChoice(
    {.setting = "composition/group", .option = "--group", .help = "composition: what a row is (session)"},
    CompositionGroup::Session,
    {CompositionGroup::Session, CompositionGroup::Day, CompositionGroup::Model, CompositionGroup::Project});
const Choice<bool> perRequest = flagChoice({.setting = "composition/per_request",
                                            .option = "--per-request",
                                            .help = "composition: mean over requests, not over tokens"},
                                           false);
const Choice<bool> shares = flagChoice(
    {.setting = "composition/shares", .option = "--tokens", .help = "composition: tokens, not shares"}, true);

const Choice<CompositionOrder> order =
    wordChoice({.setting = "composition/order",
                .option = "--sort-by",
                .help = "composition: what rows are sorted by (usual)"},
               CompositionOrder::Usual,
               {CompositionOrder::Usual, CompositionOrder::Name, CompositionOrder::AllTokens,
                CompositionOrder::HitRate, CompositionOrder::HitRatePerRequest, CompositionOrder::ReadWrite});
const Choice<bool> reversed = flagChoice({.setting = "composition/reversed",
                                          .option = "--reversed",
                                          .help = "composition: the chosen order from its other end"},
                                         false);

} // namespace choices

DistributionOptions distributionOptions(const Choices& all) {
    return {all[choices::method], all[choices::bins], all[choices::measure], all[choices::reference]};
}

ui::CompositionView compositionView(const Choices& all) {
    return {all[choices::perRequest], all[choices::shares], all[choices::order], all[choices::reversed]};
}

ui::TimelineView timelineView(const Choices& all) {
    return {all[choices::axis], all[choices::viewStart], all[choices::viewEnd]};
}

ui::TimelineView timelineView(const Choices& all, const std::string& sessionKey) {
    return sessionKey == all[choices::zoomedSession] ? timelineView(all)
                                                     : ui::TimelineView{all[choices::axis], 0, -1};
}

void setTimelineView(Choices& all, const ui::TimelineView& view) {
    all.set(choices::axis, view.axis);
    all.set(choices::viewStart, view.start);
    all.set(choices::viewEnd, view.end);
}

} // namespace loadline::app
