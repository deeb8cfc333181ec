// A timeline's items in words: for tooltips and for screen readers.
#include "ui/chart/timeline/timeline_text.h"

#include "core/workload/timeline/evidence.h"
#include "ui/chart/timeline/timeline_ticks.h"
#include "ui/theme/format.h"

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
    return QString::fromStdString(dayOf(time) + " " + clockOf(time, true)) + QStringLiteral(" UTC");
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

std::array<QString, 6> keyWords(const TimelineScene& scene) {
    return {QStringLiteral("cache read"),
            QStringLiteral("cache write"),
            QStringLiteral("uncached"),
            QStringLiteral("output"),
            scene.inexactOutputs ? QStringLiteral("output, at least") : QString(),
            scene.inheritedCalls ? QStringLiteral("inherited") : QString()};
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

} // namespace loadline::ui
