// Texts of the charts of a server's log: sentences, read-outs, tables.
#pragma once

#include "core/text/table.h"
#include "ui/chart/serverlog/log_scene.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace loadline::ui {

/// "From 10:13:11 to 10:13:51: up to 1 240 output tokens/s, ..."
QString timeSentence(const LogScene& scene);
/// Intervals, requests, events, steps and progress in view, at most mostLogRows of them.
Table timeTable(const LogScene& scene, const PlotChange::Stretch& stretch);
inline constexpr std::size_t mostLogRows = std::size_t{1} << 16;

/// Returns the read-out of one mark: when, what, its figures.
QStringList wordsOf(const LogScene& scene, const LogMark& mark);
/// Returns the read-out of all lanes at a place.
QStringList wordsAt(const LogScene& scene, double place, double perPixel);
/// The sample of a series that tells of a place: whose span holds it, or the instant nearest to it, `reach`
/// away at most.
std::optional<std::size_t> sampleOf(const LogSeries& series, double place, double reach);

} // namespace loadline::ui
