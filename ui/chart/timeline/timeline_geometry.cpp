// Pixels of a timeline: axis units to pixels and back, zoom, pan, and where each lane lies.
#include "ui/chart/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {

TimelineGeometry TimelineGeometry::showing(double newStart, double newEnd) const {
    TimelineGeometry result = *this;
    if (newEnd - newStart >= extent * (1 - 1e-9)) { // zooming in and out again ends at the very whole
        result.start = 0;
        result.end = extent;
        return result;
    }
    const double wanted = std::clamp(newEnd - newStart, std::min(smallestSpan, extent), extent);
    const double middle = (newStart + newEnd) / 2;
    result.start = newEnd - newStart == wanted ? newStart : middle - wanted / 2;
    result.start = std::clamp(result.start, 0.0, extent - wanted);
    result.end = result.start + wanted;
    return result;
}

TimelineGeometry TimelineGeometry::zoomed(double pixel, double factor) const {
    const double newSpan = std::clamp(span() / factor, std::min(smallestSpan, extent), extent);
    const double share = (pixel - left) / width;
    const double newStart = toUnits(pixel) - share * newSpan;
    return showing(newStart, newStart + newSpan);
}

TimelineGeometry TimelineGeometry::panned(double pixels) const {
    const double units = pixels / pixelsPerUnit();
    const double newStart = std::clamp(start + units, 0.0, extent - span());
    return showing(newStart, newStart + span());
}

TimelineGeometry TimelineGeometry::revealing(double from, double to) const {
    if (to - from > span()) {
        return showing(from - (to - from) * 0.05, to + (to - from) * 0.05);
    }
    const double margin = std::min((span() - (to - from)) / 2, span() * 0.1);
    if (from < start) {
        return showing(from - margin, from - margin + span());
    }
    if (to > end) {
        return showing(to + margin - span(), to + margin);
    }
    return *this;
}

TimelineGeometry geometryOf(const TimelineScale& scale, const TimelineView& view, double left, double width) {
    TimelineGeometry whole;
    whole.extent = scale.extent();
    whole.left = left;
    whole.width = std::max(width, 1.0);
    whole.smallestSpan = scale.axis() == TimelineAxis::TurnIndex ? 2 : 50;
    whole.end = whole.extent;
    return view.end < view.start ? whole : whole.showing(view.start, view.end);
}

TimelineView viewOf(const TimelineGeometry& geometry, TimelineAxis axis) {
    if (geometry.showsAll()) {
        return {axis, 0, -1};
    }
    return {axis, geometry.start, geometry.end};
}

namespace {

TimeMs timeOf(const Timeline& timeline, const TimelineScale& scale, double units) {
    if (scale.axis() != TimelineAxis::TurnIndex) {
        return scale.timeAt(units);
    }
    if (timeline.calls.empty()) {
        return timeline.first;
    }
    const auto last = static_cast<double>(timeline.calls.size() - 1);
    if (units > last + 0.5) {
        return timeline.last;
    }
    return timeline.calls[static_cast<std::size_t>(std::clamp(std::floor(units), 0.0, last))].start;
}

double unitsOf(const Timeline& timeline, const TimelineScale& scale, TimeMs time) {
    if (scale.axis() != TimelineAxis::TurnIndex) {
        return scale.unitsAt(time);
    }
    const auto call = std::lower_bound(timeline.calls.begin(), timeline.calls.end(), time,
                                       [](const CallSpan& span, TimeMs at) { return span.start < at; });
    return static_cast<double>(call - timeline.calls.begin());
}

} // namespace

TimelineView viewOnAxis(const Timeline& timeline, const TimelineView& view, TimelineAxis axis) {
    if (axis == view.axis || view.end < view.start || !isKnown(timeline.first)) {
        return {axis, view.end < view.start ? 0 : view.start, view.end < view.start ? -1 : view.end};
    }
    const TimelineScale from(timeline, view.axis), to(timeline, axis);
    return {axis, unitsOf(timeline, to, timeOf(timeline, from, view.start)),
            unitsOf(timeline, to, timeOf(timeline, from, view.end))};
}

std::uint64_t callsWithin(const Timeline& timeline, const TimeRange& range, bool inScope) {
    return static_cast<std::uint64_t>(std::ranges::count_if(timeline.calls, [&](const CallSpan& call) {
        return !call.inherited && (call.hit || !inScope) && call.firstLine >= range.from &&
               call.firstLine <= range.to;
    }));
}

namespace {

constexpr double headingHeight = 22, openHeight = 52, compactHeight = 20, markHeight = 15;
constexpr std::size_t openAgents = 6; ///< more sub-agents begin folded

struct AgentLanes {
    std::uint32_t agent = 0;
    std::optional<std::uint32_t> tools;
    bool compact = false;
};

double toolsHeight(const TimelineScene& scene, const AgentLanes& lanes, bool main) {
    if (!lanes.tools || scene.lanes[*lanes.tools].spans == 0) {
        return 0;
    }
    const int rows = scene.lanes[*lanes.tools].toolRows;
    return main ? (rows == 1 ? 20 : rows * 13 + 4) : (rows == 1 ? 13 : rows * 8 + 3);
}

class RowBuilder {
public:
    RowBuilder(const TimelineScene& scene, Band area, const LaneFolds& folds, double scroll, bool squeeze)
        : scene_(scene), area_(area), folds_(folds), squeeze_(squeeze) {
        result_.scroll = scroll;
        collect();
    }

    TimelineRows build() {
        const double forOthers = others_.empty() ? 0 : headingHeight + naturalHeight();
        const double mainTools = main_ ? toolsHeight(scene_, *main_, true) : 0;
        double mainHeight = 0;
        if (main_) {
            const double left = area_.height - mainTools - forOthers;
            const double least = std::clamp(area_.height * 0.42, 100.0, 250.0);
            const double most =
                others_.empty() ? area_.height - mainTools : std::max(260.0, area_.height * 0.5);
            mainHeight = std::max(std::clamp(left, least, std::max(least, most)), 40.0);
            if (squeeze_ && !others_.empty()) {
                mainHeight = std::min(mainHeight, std::max(60.0, area_.height * 0.5));
            }
        }
        double y = area_.top;
        if (main_) {
            add(TimelineRow::Kind::Main, main_->agent, y, mainHeight, false);
            if (mainTools > 0) {
                add(TimelineRow::Kind::Tools, *main_->tools, y, mainTools, false);
            }
        }
        if (!others_.empty()) {
            add(TimelineRow::Kind::Heading, 0, y, headingHeight, false);
        }
        result_.fixed = {area_.top, std::min(y, area_.bottom()) - area_.top};
        result_.scrolled = {result_.fixed.bottom(), area_.bottom() - result_.fixed.bottom()};
        result_.othersShown = !folds_.hidden;
        if (!folds_.hidden && !others_.empty()) {
            addOthers();
        }
        return std::move(result_);
    }

private:
    void collect() {
        const std::vector<TimelineLane>& lanes = scene_.timeline->lanes;
        for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
            if (lanes[lane].tools) {
                continue;
            }
            AgentLanes agent{lane, std::nullopt, false};
            if (lane + 1 < lanes.size() && lanes[lane + 1].tools) {
                agent.tools = lane + 1;
            }
            if (!main_ && lanes[lane].kind == LaneKind::Main) {
                main_ = agent;
            } else {
                others_.push_back(agent);
            }
        }
        const bool compact = folds_.allCompact.value_or(others_.size() > openAgents);
        for (AgentLanes& agent : others_) {
            agent.compact = compact != folds_.other.contains(agent.agent);
        }
    }

    [[nodiscard]] double naturalHeight() const {
        if (folds_.hidden) {
            return 0;
        }
        double height = 0;
        for (const AgentLanes& agent : others_) {
            height += agent.compact ? compactHeight : openHeight + toolsHeight(scene_, agent, false);
        }
        return height;
    }

    void add(TimelineRow::Kind kind, std::uint32_t lane, double& y, double height, bool scrolls) {
        result_.rows.push_back({kind, lane, {y, height}, scrolls});
        y += height;
    }

    void addOthers() {
        const double available = std::max(result_.scrolled.height, 1.0);
        const double natural = std::max(naturalHeight(), 1.0);
        double stretch = std::clamp(available / natural, 1.0, 1.8);
        bool bare = false; // too little room for open rows: all folded, without tools
        if (squeeze_ && available < natural) {
            bare = true;
            stretch = std::min(1.0, available / (compactHeight * static_cast<double>(others_.size())));
        }
        result_.contentHeight = bare ? available : natural * stretch;
        result_.scroll = std::clamp(result_.scroll, 0.0, std::max(0.0, result_.contentHeight - available));
        double y = result_.scrolled.top - result_.scroll;
        for (const AgentLanes& agent : others_) {
            if (agent.compact || bare) {
                add(TimelineRow::Kind::Compact, agent.agent, y, compactHeight * stretch, true);
                continue;
            }
            add(TimelineRow::Kind::Agent, agent.agent, y, openHeight * stretch, true);
            if (const double tools = toolsHeight(scene_, agent, false); tools > 0) {
                add(TimelineRow::Kind::Tools, *agent.tools, y, tools * stretch, true);
            }
        }
    }

    const TimelineScene& scene_;
    Band area_;
    const LaneFolds& folds_;
    bool squeeze_;
    std::optional<AgentLanes> main_;
    std::vector<AgentLanes> others_;
    TimelineRows result_;
};

} // namespace

const TimelineRow* TimelineRows::at(double y) const {
    for (const TimelineRow& row : rows) {
        if (row.band.contains(y) && (row.scrolls ? scrolled : fixed).contains(y)) {
            return &row;
        }
    }
    return nullptr;
}

const TimelineRow* TimelineRows::ofLane(std::uint32_t lane) const {
    for (const TimelineRow& row : rows) {
        if (row.kind != TimelineRow::Kind::Heading && row.lane == lane) {
            return &row;
        }
    }
    return nullptr;
}

double TimelineRows::scrollShowing(std::uint32_t lane) const {
    const TimelineRow* row = ofLane(lane);
    if (row == nullptr || !row->scrolls) {
        return scroll;
    }
    if (row->band.top < scrolled.top) {
        return scroll - (scrolled.top - row->band.top);
    }
    if (row->band.bottom() > scrolled.bottom()) {
        return scroll + std::min(row->band.bottom() - scrolled.bottom(), row->band.top - scrolled.top);
    }
    return scroll;
}

TimelineRows rowsOf(const TimelineScene& scene, Band area, const LaneFolds& folds, double scroll,
                    bool squeeze) {
    return RowBuilder(scene, area, folds, scroll, squeeze).build();
}

AgentBands bandsOf(const TimelineRow& row) {
    AgentBands bands;
    const double height = row.band.height;
    double top = row.band.top, bottom = row.band.bottom();
    if (row.kind == TimelineRow::Kind::Compact) {
        const double activity = height < 6 ? height : std::min(4.0, height / 3);
        const double gap = height >= 12 ? 1 : 0;
        bands.spans = {bottom - activity - gap, activity};
        if (height >= 6) {
            bands.context = {top + 2 * gap, bands.spans.top - top - 2 * gap};
        }
        return bands;
    }
    if (row.kind == TimelineRow::Kind::Main) {
        if (height >= 90) {
            bands.events = {top, markHeight};
            bands.prompts = {top + markHeight, markHeight};
            top += 2 * markHeight + 2;
        }
        const double output = std::clamp(height * 0.18, 12.0, 56.0);
        const double spans = height >= 90 ? 16 : 8;
        bands.output = {bottom - output - 1, output};
        bands.spans = {bands.output.top - spans - 3, spans};
        bands.context = {top, std::max(0.0, bands.spans.top - top)};
        return bands;
    }
    const double output = height * 0.24, spans = std::clamp(height * 0.18, 6.0, 14.0);
    bands.output = {bottom - output - 2, output};
    bands.spans = {bands.output.top - spans - 2, spans};
    bands.context = {top + 4, bands.spans.top - top - 4};
    return bands;
}

Band toolBand(const TimelineRow& row, int toolRow, int toolRows) {
    const double each = (row.band.height - 4) / toolRows;
    return {row.band.top + 2 + each * toolRow, std::max(1.0, each - (each > 5 ? 1 : 0))};
}

} // namespace loadline::ui
