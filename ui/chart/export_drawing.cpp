// Drawings to PNG, SVG, PDF and CSV files.
#include "ui/chart/export_drawing.h"

#include "core/base/file/write_file.h"
#include "ui/chart/answer.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/png_text.h"
#include "ui/theme/plain_text.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImageWriter>
#include <QPageLayout>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QUuid>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace loadline::ui {

namespace {

// Upper limit of an export, at 4 bytes a pixel in a QImage: a larger size is more likely a typing error.
constexpr double largestPixels = 400e6;
const QString commandKey = QStringLiteral("Loadline command");

Error failure(const QString& what, const QString& where, const char* remedy) {
    return {what.toStdString(), where.toStdString(), remedy};
}

/// Text and lines grow with the picture: the page is laid out at about 1000 x 560 and scaled from there.
double magnification(const QSizeF& page) {
    return std::max(0.75, std::min(page.width() / 1000, page.height() / 560));
}

/// Breaks the text into as many lines as it takes, at most `most`; the last one is elided when drawn.
QStringList wrapped(const QString& text, const QFont& font, double width, int most) {
    QStringList lines;
    QString line;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
        if (lines.size() + 1 < most && !line.isEmpty() && widthOf(font, longer) > width) {
            lines << line;
            line = word;
        } else {
            line = longer;
        }
    }
    return line.isEmpty() ? lines : lines << line;
}

QString smallPrint(const ExportOptions& options) {
    QStringList parts;
    for (const QString& part : {options.caption, QStringLiteral("Loadline")}) {
        if (!part.isEmpty()) {
            parts << part;
        }
    }
    return parts.join(QStringLiteral("  ·  "));
}

Status checked(const ExportOptions& options) {
    const QString size = QStringLiteral("%1x%2").arg(options.size.width()).arg(options.size.height());
    if (!exportSides.contains(options.size.width()) || !exportSides.contains(options.size.height())) {
        return failure(QStringLiteral("cannot draw a picture of this size"), size,
                       "a width and height from 200 to 16384");
    }
    if (!exportScales.contains(options.scale)) {
        return failure(QStringLiteral("cannot draw at this scale"), QString::number(options.scale),
                       "a scale from 0.5 to 4");
    }
    const double pixels = options.size.width() * options.scale * options.size.height() * options.scale;
    if (pixels > largestPixels) {
        return failure(QStringLiteral("the picture would have more than 400 million pixels"), size,
                       "a smaller size or scale, or SVG or PDF");
    }
    return Done{};
}

QString descriptionOf(const Drawing& drawing, const ExportOptions& options) {
    QStringList parts{drawing.sentence()};
    for (const QString& part : {options.incomplete, options.caption}) {
        if (!part.isEmpty()) {
            parts << part;
        }
    }
    return linesText(parts.join(QLatin1Char('\n')));
}

/// Whole, or it would not draw the same; a shell's quotes have made everything visible already.
QString commandOf(const ExportOptions& options) {
    return linesText(options.command, options.command.size());
}

/// Each writer returns an empty text or what went wrong.
QString writePng(QIODevice& device, const Drawing& drawing, const ExportOptions& options) {
    const QImage image = imageOf(drawing, options);
    if (image.isNull()) {
        return QStringLiteral("not enough memory for the picture");
    }
    QImageWriter writer(&device, "png");
    return writer.write(image) ? QString() : writer.errorString();
}

/// Qt writes title and description of an SVG as they are, later releases escaped: they are put in here.
QByteArray withHeading(QByteArray svg, const QString& title, const QString& description) {
    const auto element = [](const char* name, const QString& text) {
        return QStringLiteral("\n<%1>%2</%1>").arg(QLatin1String(name), text.toHtmlEscaped());
    };
    const qsizetype root = svg.indexOf("<svg");
    return svg.insert(svg.indexOf('>', root) + 1,
                      (element("title", title) + element("desc", description)).toUtf8());
}

QString writeSvg(QIODevice& device, const Drawing& drawing, const ExportOptions& options) {
    QBuffer drawn;
    drawn.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&drawn);
    generator.setSize(options.size);
    generator.setViewBox(QRect(QPoint(0, 0), options.size));
    generator.setResolution(96);
    generator.setTitle(QString());
    generator.setDescription(QString());
    QString description = descriptionOf(drawing, options);
    if (!options.command.isEmpty()) {
        description += QStringLiteral("\n") + commandKey + QStringLiteral(": ") + commandOf(options);
    }
    QPainter painter;
    if (!painter.begin(&generator)) {
        return QStringLiteral("the SVG writer does not start");
    }
    paintExport(painter, QRectF(QPointF(0, 0), options.size), drawing, options);
    painter.end();
    const QByteArray svg = withHeading(drawn.data(), lineText(drawing.title()), description);
    return device.write(svg) == svg.size() ? QString() : device.errorString();
}

/// Qt writes the time of day into every PDF; equal charts are to be equal files. Spaces keep all offsets.
void blankDates(QByteArray& pdf) {
    for (const QByteArray key : {"/CreationDate (", "/ModDate ("}) {
        const qsizetype start = pdf.indexOf(key);
        const qsizetype end = start < 0 ? -1 : pdf.indexOf(')', start);
        if (end > 0) {
            std::fill(pdf.begin() + start, pdf.begin() + end + 1, ' ');
        }
    }
}

/// For the same reason: newer versions of Qt add an identifier made by chance, and dates in XML.
void setConstantFacts([[maybe_unused]] QPdfWriter& writer) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    writer.setDocumentId(QUuid::createUuidV5(QUuid(), writer.title()));
    writer.setDocumentXmpMetadata(QByteArrayLiteral("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>"));
#endif
}

QString writePdf(QIODevice& device, const Drawing& drawing, const ExportOptions& options) {
    QBuffer pdf;
    pdf.open(QIODevice::WriteOnly);
    QPdfWriter writer(&pdf);
    constexpr int dotsPerInch = 1200;
    constexpr double pixelsPerPoint = 96.0 / 72.0;
    writer.setResolution(dotsPerInch);
    writer.setPageLayout(QPageLayout(
        QPageSize(QSizeF(options.size) / pixelsPerPoint, QPageSize::Point, {}, QPageSize::ExactMatch),
        QPageLayout::Portrait, {}, QPageLayout::Point));
    writer.setTitle(lineText(drawing.title()));
    writer.setCreator(options.command.isEmpty()
                          ? QStringLiteral("Loadline")
                          : QStringLiteral("Loadline (") + commandOf(options) + QStringLiteral(")"));
    setConstantFacts(writer);
    QPainter painter;
    if (!painter.begin(&writer)) {
        return QStringLiteral("the PDF writer does not start");
    }
    // Pages are whole points: the picture fills the page exactly, stretched by less than a point.
    painter.scale(writer.width() / static_cast<double>(options.size.width()),
                  writer.height() / static_cast<double>(options.size.height()));
    paintExport(painter, QRectF(QPointF(0, 0), options.size), drawing, options);
    painter.end();
    QByteArray bytes = pdf.data();
    blankDates(bytes);
    return device.write(bytes) == bytes.size() ? QString() : device.errorString();
}

QString writeCsv(QIODevice& device, const Drawing& drawing, const ExportOptions& options) {
    const std::string csv = toCsv(exportedTable(drawing, options));
    const bool whole =
        device.write(csv.data(), static_cast<qint64>(csv.size())) == static_cast<qint64>(csv.size());
    return whole ? QString() : device.errorString();
}

using Writer = QString (*)(QIODevice&, const Drawing&, const ExportOptions&);

/// By the ending; null where it is of no known format.
Writer writerOf(const std::string& path) {
    const QString ending = QFileInfo(QString::fromStdString(path)).suffix().toLower();
    const std::pair<const char*, Writer> writers[] = {
        {"png", writePng}, {"svg", writeSvg}, {"pdf", writePdf}, {"csv", writeCsv}};
    for (const auto& [name, writer] : writers) {
        if (ending == QLatin1String(name)) {
            return writer;
        }
    }
    return nullptr;
}

} // namespace

Table exportedTable(const Drawing& drawing, const ExportOptions& options) {
    Table table = drawing.table();
    if (!options.incomplete.isEmpty()) {
        addColumn(table, "incomplete", Cell(options.incomplete.toStdString()));
    }
    return table;
}

void paintExport(QPainter& painter, const QRectF& page, const Drawing& drawing,
                 const ExportOptions& options) {
    const Theme& theme = Theme::of(options.theme);
    const double factor = magnification(page.size());
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(page, theme.plotGround);
    painter.translate(page.topLeft());
    painter.scale(factor, factor);

    const double margin = 2.5 * spacing;
    QRectF rest(QPointF(margin, margin),
                QSizeF(page.width() / factor - 2 * margin, page.height() / factor - 1.6 * margin));
    const QFont small = fontOf(0.85);
    const QFont answer = fontOf(1.35, true);
    const auto line = [&](const QFont& font, const QColor& color, const QString& text) {
        const double height = heightOf(font);
        drawText(painter, QRectF(rest.left(), rest.top(), rest.width(), height),
                 Qt::AlignLeft | Qt::AlignVCenter, font, color, text);
        rest.setTop(rest.top() + height);
    };
    line(small, theme.textMuted, drawing.title());
    const Answer sentences = answerOf(drawing.sentence());
    for (const QString& text : wrapped(sentences.first, answer, rest.width(), 3)) {
        line(answer, theme.text, text);
    }
    for (const QString& text : wrapped(sentences.rest, fontOf(1), rest.width(), 3)) {
        line(fontOf(1), theme.textMuted, text);
    }
    if (!options.incomplete.isEmpty()) {
        line(fontOf(1, true), theme.error, lineText(options.incomplete));
    }
    rest.setTop(rest.top() + 1.5 * spacing);
    const QStringList print = wrapped(smallPrint(options), small, rest.width(), 2);
    const double lineHeight = heightOf(small);
    double printTop = rest.bottom() - lineHeight * static_cast<double>(print.size());
    rest.setBottom(printTop - spacing);
    for (const QString& text : print) {
        drawText(painter, QRectF(rest.left(), printTop, rest.width(), lineHeight),
                 Qt::AlignLeft | Qt::AlignVCenter, small, theme.textMuted, text);
        printTop += lineHeight;
    }
    drawing.paint(painter, rest, theme);
    painter.restore();
}

QImage imageOf(const Drawing& drawing, const ExportOptions& options) {
    QImage image((QSizeF(options.size) * options.scale).toSize(), QImage::Format_RGB32);
    if (image.isNull()) {
        return image;
    }
    image.setDevicePixelRatio(std::max(options.scale, 1.0)); // painters follow no smaller one
    // 96 dots per inch per logical pixel, so that other programs show the intended size.
    const int dotsPerMeter = static_cast<int>(std::lround(96 * options.scale / 0.0254));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    QPainter painter(&image);
    painter.scale(std::min(options.scale, 1.0), std::min(options.scale, 1.0));
    paintExport(painter, QRectF(QPointF(0, 0), options.size), drawing, options);
    painter.end();
    image.setText(QStringLiteral("Title"), lineText(drawing.title()));
    image.setText(QStringLiteral("Description"), descriptionOf(drawing, options));
    image.setText(QStringLiteral("Software"), QStringLiteral("Loadline"));
    if (!options.command.isEmpty()) {
        image.setText(commandKey, commandOf(options));
    }
    return image;
}

Status canExport(const std::string& path, const ExportOptions& options) {
    const QString name = QString::fromStdString(path);
    const Writer writer = writerOf(path);
    if (!writer) {
        return failure(QStringLiteral("cannot tell the format from the file's ending"), name,
                       "a name that ends in .png, .svg, .pdf or .csv");
    }
    if (writer != writeCsv) {
        if (Status status = checked(options); !status) {
            return status;
        }
    }
    std::error_code failed;
    if (std::filesystem::exists(path, failed) && !std::filesystem::is_regular_file(path, failed)) {
        return failure(QStringLiteral("will not replace what is not an ordinary file"), name, "another name");
    }
    return canWrite(path);
}

Status exportDrawing(const Drawing& drawing, const std::string& path, const ExportOptions& options) {
    if (Status can = canExport(path, options); !can) {
        return can;
    }
    // Drawn in memory first: some writers do not report that a disk is full.
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (const QString trouble = writerOf(path)(buffer, drawing, options); !trouble.isEmpty()) {
        return failure(QStringLiteral("cannot draw the picture: ") + trouble, QString::fromStdString(path),
                       "a smaller size");
    }
    return writeFile(path, {buffer.data().constData(), static_cast<std::size_t>(buffer.size())});
}

QString commandInPng(const std::string& path) {
    return textInPng(QString::fromStdString(path), commandKey.toLatin1());
}

} // namespace loadline::ui
