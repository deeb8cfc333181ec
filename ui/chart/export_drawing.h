// A drawing to a file: PNG, SVG, PDF or CSV, with title, sentence, scope and the command that makes it again.
#pragma once

#include "core/base/result.h"
#include "ui/chart/drawing.h"

#include <QImage>
#include <QSize>
#include <QString>

#include <string>

namespace loadline::ui {

struct ExportOptions {
    QSize size{1600, 900}; ///< logical pixels, 200 to 16384 each way
    double scale = 1.0;    ///< device pixels per logical pixel for PNG, 0.5 to 4
    ThemeKind theme = ThemeKind::Light;
    QString caption; ///< small print: scope, source, date range
    QString command; ///< reproduces the file; PNG text chunk, SVG and PDF metadata, CSV has none
    bool operator==(const ExportOptions&) const = default;
};

/// Title, sentence, drawing and caption as they go into every export.
void paintExport(QPainter& painter, const QRectF& page, const Drawing& drawing, const ExportOptions& options);
QImage imageOf(const Drawing& drawing, const ExportOptions& options);

/// Format by the ending (.png .svg .pdf .csv, any case). Writes a temporary file beside `path` and renames
/// it, so that a full disk or a stop never leaves half a file. Errors name the path and what to try.
[[nodiscard]] Status exportDrawing(const Drawing& drawing, const std::string& path,
                                   const ExportOptions& options);

/// The command stored in a PNG that Loadline wrote; empty when there is none.
QString commandInPng(const std::string& path);

} // namespace loadline::ui
