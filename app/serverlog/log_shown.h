// A log that was read and the verdict on it for the chosen model and device.
#pragma once

#include "app/job/page_progress.h"
#include "core/base/result.h"
#include "core/serverlog/study/log_question.h"
#include "core/serverlog/verdict/log_figure.h"
#include "ui/chart/serverlog/log_drawings.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline::app {

struct LogRead {
    std::vector<std::string> files;
    std::shared_ptr<const ServerLog> log; ///< null where there is an error
    std::optional<Error> error;
};

LogRead logOf(const std::vector<std::string>& files, const std::stop_token& stop, PageProgress& progress);

struct LogQuestion {
    std::shared_ptr<const ServerLog> log;
    ServedSettings served;
    LogRange range; ///< that the verdict is on
    bool operator==(const LogQuestion&) const = default;
};

/// A log and what is said to serve it, with what is drawn of both.
struct LogShown {
    ServedSettings served;
    std::shared_ptr<const LogFigure> figure; ///< without evidenceTexts
    std::shared_ptr<const ui::LogScene> scene;
    std::string whyNoReplay; ///< why the simulator cannot take its requests; "": it can

    [[nodiscard]] const ServerLog& log() const { return *figure->log; }
};

/// `last`, if any, gives what is the same for the same log.
LogShown shownOf(const LogQuestion& question, const LogShown* last);

/// The settings with what was left open as the verdict took it from the log.
ServedSettings settled(const LogShown& shown);

/// Bits of a weight, as the verdict took them: where parts differ, their mean; 0: not told.
double servedBits(const LogShown& shown);

/// The part of its time line that is in view, for charts.
inline ui::PlotChange::Stretch stretchOf(const LogRange& range) {
    return range.restricts() ? ui::PlotChange::Stretch{range.fromS, range.toS} : ui::PlotChange::Stretch();
}

/// Today in UTC, for what is written: "2026-06-01".
std::string writtenNow();
/// Seconds since a file was written; 0 where that is not known.
double sinceWrittenS(const std::string& path);
/// The verdict as Markdown; the texts of its lines are read from the files.
Result<std::string> verdictText(const LogFigure& figure, const std::stop_token& stop);

/// Files that are one log, in the order in which they were written: "server.log.2", "server.log.1.gz",
/// "server.log"; of equal numbers as they stand.
std::vector<std::string> oldestFirst(std::vector<std::string> files);
/// The same of files in no order: by their names where these hold dates.
std::vector<std::string> asRotated(std::vector<std::string> files);

} // namespace loadline::app
