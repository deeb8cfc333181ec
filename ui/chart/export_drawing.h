// A drawing to a file: PNG, SVG, PDF or CSV, with title, sentence, scope and the command that makes it again.
#pragma once

#include "core/base/result.h"
#include "core/text/parse_number.h"
#include "ui/chart/drawing.h"

#include <QImage>
#include <QSize>
#include <QString>

#include <string>

namespace loadline::ui {

inline constexpr NumberRange<int> exportSides{200, 16'384};
inline constexpr NumberRange<double> exportScales{0.5, 4};

struct ExportOptions {
    QSize size{1600, 900}; ///< logical pixels, each in exportSides
    double scale = 1.0;    ///< device pixels per logical pixel for PNG, in exportScales
    ThemeKind theme = ThemeKind::Light;
    QString caption;    ///< small print: scope, source, date range
    QString incomplete; ///< what of the data could not be read, drawn as a warning; a column of a CSV; "":
                        ///< nothing
    QString command;    ///< reproduces the file; PNG text chunk, SVG and PDF metadata, CSV has none
    bool operator==(const ExportOptions&) const = default;
};

/// The drawing's table, with a column `incomplete` where something could not be read.
Table exportedTable(const Drawing& drawing, const ExportOptions& options);

/// Title, sentence, drawing and caption as they go into every export.
void paintExport(QPainter& painter, const QRectF& page, const Drawing& drawing, const ExportOptions& options);
QImage imageOf(const Drawing& drawing, const ExportOptions& options);

/// Whether exportDrawing() could begin: the ending is known, the size possible, the place can be written to.
[[nodiscard]] Status canExport(const std::string& path, const ExportOptions& options);

/// Format by the ending (.png .svg .pdf .csv, any case). Writes a temporary file beside `path` and renames
/// it, so that a full disk or a stop never leaves half a file. Errors name the path and what to try.
[[nodiscard]] Status exportDrawing(const Drawing& drawing, const std::string& path,
                                   const ExportOptions& options);

/// The command stored in a PNG that Loadline wrote; empty when there is none.
QString commandInPng(const std::string& path);

} // namespace loadline::ui
