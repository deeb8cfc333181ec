// A timeline in words: its items, for tooltips and screen readers, and the ticks of its time axis.
#include "ui/chart/timeline/timeline_text.h"

#include "core/base/zone.h"
#include "core/workload/timeline/evidence.h"
#include "ui/chart/xy_axes.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace loadline::ui {

namespace {

constexpr int longestText = 240; ///< characters of a prompt or error

/// Heading, then label and value.
struct ItemText {
    QString heading;
    std::vector<std::pair<QString, QString>> lines;
};

QString momentOf(TimeMs time) {
    return QString::fromStdString(dayOf(time) + " " + clockOf(time, true) + " " + zoneAt(time));
}

QString laneName(const TimelineScene& scene, std::uint32_t lane) {
    return QString::fromStdString(scene.timeline->lanes[lane].name);
}

ItemText textOf(const TimelineScene& scene, const CallSpan& call) {
    ItemText text;
    text.heading = QStringLiteral("API call %1").arg(call.ordinal + 1);
    if (scene.corpus && call.model < scene.corpus->models.size()) {
        text.heading += QStringLiteral(" \u00b7 ") + QString::fromStdString(scene.corpus->models[call.model]);
    }
    text.lines.emplace_back(QStringLiteral("lane"), laneName(scene, call.lane));
    text.lines.emplace_back(QStringLiteral("start"), momentOf(call.start));
    if (call.end > call.start) {
        QString duration = durationText(call.end.ms - call.start.ms);
        if (isKnown(call.firstLine) && call.firstLine > call.start && call.firstLine < call.end) {
            duration +=
                QStringLiteral(", first line after ") + durationText(call.firstLine.ms - call.start.ms);
        }
        text.lines.emplace_back(QStringLiteral("duration"), duration);
    }
    const Usage& usage = call.usage;
    text.lines.emplace_back(QStringLiteral("context"), exactText(usage.context()));
    const auto part = [&](const char* name, Tokens tokens) {
        QString value = exactText(tokens);
        if (tokens > 0 && usage.context() > 0) {
            value += QStringLiteral(" (%1)").arg(
                shareText(static_cast<double>(tokens) / static_cast<double>(usage.context())));
        }
        text.lines.emplace_back(QLatin1String(name), value);
    };
    part("cache read", usage.cacheRead);
    part("cache write", usage.cacheWrite);
    part("uncached", usage.input);
    text.lines.emplace_back(QStringLiteral("output"),
                            QString::fromStdString(outputOf(usage.output, call.quality)));
    if (call.inherited) {
        text.lines.emplace_back(QStringLiteral("note"), QStringLiteral("inherited from another session"));
    }
    return text;
}

ItemText textOf(const TimelineScene& scene, const ToolSpan& tool) {
    ItemText text;
    text.heading = QStringLiteral("Tool \u00b7 ") + QString::fromStdString(tool.name);
    text.lines.emplace_back(QStringLiteral("lane"), laneName(scene, tool.lane));
    text.lines.emplace_back(QStringLiteral("start"), momentOf(tool.start));
    text.lines.emplace_back(QStringLiteral("duration"), tool.open
                                                            ? QStringLiteral("no result in the log")
                                                            : durationText(tool.end.ms - tool.start.ms));
    if (tool.isError) {
        text.lines.emplace_back(QStringLiteral("result"), QStringLiteral("error"));
    }
    return text;
}

ItemText textOf(const TimelineScene& scene, const TimelineMark& mark) {
    ItemText text;
    text.heading = QString::fromStdString(describe(mark.kind));
    text.lines.emplace_back(QStringLiteral("lane"), laneName(scene, mark.lane));
    text.lines.emplace_back(QStringLiteral("time"), momentOf(mark.time));
    if (!mark.text.empty()) {
        QString words = QString::fromStdString(mark.text).simplified();
        if (words.size() > longestText) {
            words = words.left(longestText) + QStringLiteral("\u2026");
        }
        text.lines.emplace_back(QStringLiteral("text"), words);
    }
    return text;
}

ItemText textOf(const TimelineScene& scene, TimelineItem item) {
    switch (item.kind) {
    case TimelineItem::Kind::Call:
        return textOf(scene, scene.timeline->calls[item.index]);
    case TimelineItem::Kind::Tool:
        return textOf(scene, scene.timeline->tools[item.index]);
    case TimelineItem::Kind::Mark:
        break;
    }
    return textOf(scene, scene.timeline->marks[item.index]);
}

} // namespace

QString splitName(const Timeline& timeline) {
    return timeline.split.totalMs() == timeline.last.ms - timeline.first.ms ? QStringLiteral("session's time")
                                                                            : QStringLiteral("selected time");
}

std::array<QString, 4> splitWords(const TimeSplit& split, bool brief) {
    const auto all = static_cast<double>(split.totalMs());
    const auto words = [all, brief](const char* name, std::int64_t ms) {
        if (ms <= 0) {
            return QString();
        }
        const QString share = shareText(static_cast<double>(ms) / all);
        return brief ? QStringLiteral("%1 %2").arg(QLatin1String(name), share)
                     : QStringLiteral("%1 %2 (%3)").arg(QLatin1String(name), durationText(ms), share);
    };
    return {words("model", split.modelMs), words("tools", split.toolsMs),
            words(brief ? "human" : "waiting for the human", split.humanMs), words("other", split.otherMs)};
}

std::array<QString, headerKeys> keyWords(const TimelineScene& scene) {
    return {QStringLiteral("cache read"),
            QStringLiteral("cache write"),
            QStringLiteral("uncached"),
            QStringLiteral("output"),
            scene.inexactOutputs ? QStringLiteral("output, at least") : QString(),
            scene.timeline->calls.empty() ? QString() : QStringLiteral("call"),
            scene.waitingCalls ? QStringLiteral("before the first line") : QString(),
            scene.inheritedCalls ? QStringLiteral("inherited") : QString(),
            scene.missedCalls ? QStringLiteral("not selected") : QString()};
}

Tip toolTipOf(const TimelineScene& scene, TimelineItem item) {
    const ItemText text = textOf(scene, item);
    return Tip::table(text.heading, {text.lines.begin(), text.lines.end()});
}

QString spokenText(const TimelineScene& scene, TimelineItem item) {
    const ItemText text = textOf(scene, item);
    QString sentence = text.heading;
    for (const auto& [label, value] : text.lines) {
        sentence += QStringLiteral(", %1 %2").arg(label, value);
    }
    return sentence;
}

namespace {

constexpr std::int64_t second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;

constexpr std::array<std::int64_t, 32> steps = {
    1,          2,          5,           10,          20,          50,          100,         200,
    500,        second,     2 * second,  5 * second,  10 * second, 15 * second, 30 * second, minute,
    2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour,        2 * hour,    3 * hour,
    6 * hour,   12 * hour,  day,         2 * day,     5 * day,     10 * day,    20 * day,    50 * day};

std::int64_t floorTo(std::int64_t value, std::int64_t step) {
    const std::int64_t rest = value % step;
    return value - (rest < 0 ? rest + step : rest);
}

std::string labelOf(TimeMs time, std::int64_t step) {
    if (step >= day) {
        return utcDay(asShown(time));
    }
    if (step >= minute) {
        return clockOf(time, false).substr(0, 5);
    }
    const std::int64_t rest = time.ms - floorTo(time.ms, second);
    if (step >= second || rest == 0) {
        return clockOf(time, false);
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(),
                  step >= 100  ? "+%.1f s"
                  : step >= 10 ? "+%.2f s"
                               : "+%.3f s",
                  static_cast<double>(rest) / 1000);
    return text.data();
}

class TickCollector {
public:
    TickCollector(const TimelineScale& scale, const TimelineGeometry& geometry, double leastPixels)
        : scale_(scale), geometry_(geometry), leastPixels_(leastPixels),
          step_(roundStepMs(leastPixels / geometry.pixelsPerUnit())) {}

    /// Inside a cut gap nothing is round: the middle of the view says where one is.
    std::vector<TimelineTick> take() {
        if (ticks_.empty()) {
            const double middle = (geometry_.start + geometry_.end) / 2;
            add(middle, scale_.timeAt(middle), second);
        }
        return std::move(ticks_);
    }

    /// A stretch of plain time, without a cut inside.
    void stretch(double from, double to) {
        const double visibleFrom = std::max(from, geometry_.start);
        const double visibleTo = std::min(to, geometry_.end);
        if (visibleTo < visibleFrom || (visibleTo - visibleFrom) * geometry_.pixelsPerUnit() < 1) {
            return;
        }
        const std::int64_t first = scale_.timeAt(visibleFrom).ms;
        const std::int64_t last = scale_.timeAt(visibleTo).ms;
        const bool any = step_ < hour ? evenly(first, last) : onTheClock(first, last);
        const bool wide = (visibleTo - visibleFrom) * geometry_.pixelsPerUnit() > leastPixels_ / 3;
        if (!any && from >= geometry_.start && wide) {
            add(from, TimeMs{first}, std::max<std::int64_t>(std::min(step_, minute), second));
        }
    }

private:
    bool evenly(std::int64_t first, std::int64_t last) {
        const std::int64_t ahead = asShown(TimeMs{first}).ms - first; // round on the clock shown
        std::int64_t at = floorTo(first + ahead, step_) - ahead;
        bool any = false;
        for (at += at < first ? step_ : 0; at <= last; at += step_) {
            any = add(scale_.unitsAt(TimeMs{at}), TimeMs{at}, step_) || any;
        }
        return any;
    }

    /// Hours and days, of which a clock change makes some shorter or longer.
    bool onTheClock(std::int64_t first, std::int64_t last) {
        bool any = false;
        for (TimeMs clock{floorTo(asShown(TimeMs{first}).ms, step_)};; clock.ms += step_) {
            const TimeMs at = fromShown(clock);
            if (at.ms > last) {
                return any;
            }
            if (at.ms >= first && asShown(at) == clock) { // there is such an hour on that day
                any = add(scale_.unitsAt(at), at, step_) || any;
            }
        }
    }

    bool add(double units, TimeMs time, std::int64_t step) {
        if (!ticks_.empty() && (units - ticks_.back().units) * geometry_.pixelsPerUnit() < leastPixels_) {
            return false;
        }
        const std::int64_t dayNumber = utcDayNumber(asShown(time));
        const bool newDay = ticks_.empty() || dayNumber != lastDay_;
        lastDay_ = dayNumber;
        ticks_.push_back({units, labelOf(time, step), newDay && step < day ? dayOf(time) : std::string()});
        return true;
    }

    const TimelineScale& scale_;
    const TimelineGeometry& geometry_;
    double leastPixels_;
    std::int64_t step_;
    std::int64_t lastDay_ = 0;
    std::vector<TimelineTick> ticks_;
};

std::vector<TimelineTick> turnTicks(const TimelineGeometry& geometry, double leastPixels) {
    const double step = roundStep(leastPixels / geometry.pixelsPerUnit());
    std::vector<TimelineTick> ticks;
    for (double at = step - 1; at <= geometry.end; at += step) {
        if (at >= geometry.start) {
            ticks.push_back({at, "#" + std::to_string(std::llround(at) + 1), {}});
        }
    }
    const bool room = ticks.empty() || ticks.front().units * geometry.pixelsPerUnit() >= leastPixels;
    if (geometry.start <= 0 && room) {
        ticks.insert(ticks.begin(), TimelineTick{0, "#1", {}});
    }
    return ticks;
}

} // namespace

std::int64_t roundStepMs(double ms) {
    for (const std::int64_t step : steps) {
        if (static_cast<double>(step) >= ms) {
            return step;
        }
    }
    return static_cast<std::int64_t>(roundStep(ms / static_cast<double>(day))) * day;
}

double roundStep(double least) {
    return least > 1 ? niceAbove(least, {1, 2, 5}) : 1;
}

double roundBelow(double most) {
    const double above = niceAbove(most, {1, 2, 5});
    return above <= most ? above : niceAbove(above / 2.6, {1, 2, 5}); // 10 to 5, 5 to 2, 2 to 1
}

std::string dayOf(TimeMs time) {
    static constexpr std::array<const char*, 7> names = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    const std::int64_t number = utcDayNumber(asShown(time));
    return std::string(names.at(static_cast<std::size_t>(((number % 7) + 7) % 7))) + " " +
           utcDay(asShown(time));
}

std::string clockOf(TimeMs time, bool withMs) {
    const TimeMs shown = asShown(time);
    const std::int64_t ms = shown.ms - floorTo(shown.ms, day);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%02d:%02d:%02d", static_cast<int>(ms / hour),
                  static_cast<int>(ms / minute % 60), static_cast<int>(ms / second % 60));
    std::string result = text.data();
    if (withMs) {
        std::snprintf(text.data(), text.size(), ".%03d", static_cast<int>(ms % second));
        result += text.data();
    }
    return result;
}

std::vector<TimelineTick> ticksOf(const TimelineScale& scale, const TimelineGeometry& geometry,
                                  double leastPixels) {
    if (scale.axis() == TimelineAxis::TurnIndex) {
        return turnTicks(geometry, leastPixels);
    }
    TickCollector ticks(scale, geometry, leastPixels);
    double from = 0;
    for (const TimelineScale::CutGap& cut : scale.cutGaps()) {
        if (cut.start > geometry.end) {
            break;
        }
        if (cut.start >= geometry.start) {
            ticks.stretch(from, cut.start);
        }
        from = cut.end;
    }
    ticks.stretch(from, scale.extent());
    return ticks.take();
}

} // namespace loadline::ui
