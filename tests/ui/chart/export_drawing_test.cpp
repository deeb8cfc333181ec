// Exports of every format: size, contents, metadata, repeatability, and no trace of a failure.
#include "ui/chart/export_drawing.h"

#include "tests/ui/chart_fixtures.h"
#include "ui/chart/drawings.h"
#include "ui/chart/paint_help.h"
#include "ui/theme/plain_text.h"

#include <QDir>
#include <QImageReader>
#include <QSet>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>

using namespace loadline;
using namespace loadline::ui;

namespace {

int coloursIn(const QImage& image) {
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3) {
            colours << image.pixel(x, y);
        }
    }
    return static_cast<int>(colours.size());
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

ExportOptions someOptions() {
    ExportOptions options;
    options.size = {800, 450};
    options.caption = QStringLiteral("all 2 sessions, model “opus”");
    options.command = QStringLiteral("loadline export distributions --out 'a b.png' --model “opus”");
    return options;
}

QString hostileText() {
    return QStringLiteral(
               "</title><script>alert(1)</script> & \"<h1>\" ]]> <!-- \x1b[2J\x01\b \u202e\u009b ") +
           QChar(0xD83D) + QChar(0xFFFF) + QStringLiteral("\nline") + QString(300, u'x');
}

/// Says nothing that is safe.
class HostileDrawing : public Drawing {
public:
    [[nodiscard]] QString title() const override { return hostileText(); }

    [[nodiscard]] QString sentence() const override { return hostileText(); }

    [[nodiscard]] Table table() const override {
        return {{"name", "=n"}, {{hostileText().toStdString(), std::string("=cmd()\r\n\xff,\"\x1b[1m")}}};
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        drawText(painter, area, Qt::AlignLeft, fontOf(1), theme.text, hostileText());
        drawReadOut(painter, area.center(), area, {hostileText(), hostileText()}, theme);
    }
};

struct ReadXml {
    QStringList names; ///< of all elements
    QStringList titles, descriptions, texts;
    QString error;
};

ReadXml readXml(const QByteArray& bytes) {
    ReadXml read;
    QXmlStreamReader xml(bytes);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        const QString name = xml.name().toString();
        read.names << name;
        if (name == "title") {
            read.titles << xml.readElementText();
        } else if (name == "desc") {
            read.descriptions << xml.readElementText();
        } else if (name == "text") {
            read.texts << xml.readElementText();
        }
    }
    read.error = xml.errorString();
    return read;
}

} // namespace

class ExportDrawingTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] std::string path(const char* name) const {
        return folder_->filePath(QLatin1String(name)).toStdString();
    }

    [[nodiscard]] QByteArray written(const char* name) const {
        return bytesOf(folder_->filePath(QLatin1String(name)));
    }

    [[nodiscard]] QStringList files() const {
        return QDir(folder_->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

    static std::vector<std::unique_ptr<Drawing>> drawings() {
        std::vector<std::unique_ptr<Drawing>> all;
        all.push_back(drawingOf(fixtures::distribution({.reference = true}, true)));
        all.push_back(
            drawingOf(fixtures::distribution({.bins = BinKind::FineLog, .measure = Measure::Count})));
        all.push_back(drawingOf(std::make_shared<DistributionFigure>()));
        all.push_back(drawingOf(fixtures::composition(40), CompositionView{}));
        all.push_back(drawingOf(fixtures::composition(40), CompositionView{.perRequest = true}));
        all.push_back(drawingOf(fixtures::days(), CompositionView{.shares = false}));
        all.push_back(drawingOf(std::make_shared<Composition>(), CompositionView{}));
        return all;
    }

private slots:
    void init() {
        QTest::failOnWarning(fixtures::unexpectedWarnings());
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    void pngHasSizeContentAndCommand() {
        for (const double scale : {1.0, 2.0}) {
            for (const ThemeKind theme : {ThemeKind::Light, ThemeKind::Dark}) {
                for (const auto& drawing : drawings()) {
                    ExportOptions options = someOptions();
                    options.scale = scale;
                    options.theme = theme;
                    QVERIFY(exportDrawing(*drawing, path("a.PNG"), options));
                    QImageReader reader(QString::fromStdString(path("a.PNG")), "png");
                    const QImage image = reader.read();
                    QCOMPARE(image.size(), options.size * scale);
                    QVERIFY(coloursIn(image) > 8);
                    QCOMPARE(image.pixelColor(1, 1), Theme::of(theme).plotGround);
                    QCOMPARE(image.text(QStringLiteral("Title")), drawing->title());
                    QCOMPARE(image.text(QStringLiteral("Software")), QStringLiteral("Loadline"));
                    QVERIFY(image.text(QStringLiteral("Description")).contains(options.caption));
                    QCOMPARE(commandInPng(path("a.PNG")), options.command);
                }
            }
        }
        QCOMPARE(files(), QStringList{QStringLiteral("a.PNG")});
    }

    /// What a preview shows: the whole picture, not its beginning.
    void aSmallerPictureIsTheWholeOne() {
        for (const auto& drawing : drawings()) {
            ExportOptions options = someOptions();
            const QImage whole = imageOf(*drawing, options);
            options.scale = 0.4;
            const QImage small = imageOf(*drawing, options);
            QCOMPARE(small.size(), options.size * 0.4);
            const QImage shrunk = whole.scaled(small.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
            const auto difference = [&](const QImage& other) {
                double sum = 0;
                for (int y = 0; y < small.height(); ++y) {
                    for (int x = 0; x < small.width(); ++x) {
                        sum += std::abs(qGray(small.pixel(x, y)) - qGray(other.pixel(x, y)));
                    }
                }
                return sum / (small.width() * small.height());
            };
            QVERIFY(3 * difference(shrunk) < difference(whole.copy(QRect(QPoint(0, 0), small.size()))));
        }
    }

    void aPngWithoutCommandHasNone() {
        ExportOptions options = someOptions();
        options.command.clear();
        QVERIFY(exportDrawing(*drawings().front(), path("a.png"), options));
        QCOMPARE(commandInPng(path("a.png")), QString());
        QCOMPARE(commandInPng(path("missing.png")), QString());
    }

    void textGrowsWithThePicture() {
        // Twice the size is the same picture at twice the scale.
        ExportOptions small = someOptions();
        small.size = {1600, 900};
        ExportOptions large = small;
        large.size = {3200, 1800};
        small.scale = 2;
        const auto drawing = drawingOf(fixtures::distribution());
        QImage a = imageOf(*drawing, small).convertToFormat(QImage::Format_RGB32);
        QImage b = imageOf(*drawing, large).convertToFormat(QImage::Format_RGB32);
        QCOMPARE(a.size(), b.size());
        qint64 different = 0;
        for (int y = 0; y < a.height(); ++y) {
            for (int x = 0; x < a.width(); ++x) {
                different += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
            }
        }
        QVERIFY2(different * 100 < static_cast<qint64>(a.width()) * a.height(),
                 qPrintable(QString::number(different)));
    }

    void svgIsWellFormedAndTitled() {
        for (const auto& drawing : drawings()) {
            QVERIFY(exportDrawing(*drawing, path("a.svg"), someOptions()));
            const QByteArray svg = written("a.svg");
            QXmlStreamReader xml(svg);
            int texts = 0;
            QString title;
            QString description;
            while (!xml.atEnd()) {
                if (xml.readNext() == QXmlStreamReader::StartElement) {
                    texts += xml.name() == QLatin1String("text") ? 1 : 0;
                    if (xml.name() == QLatin1String("title")) {
                        title = xml.readElementText();
                    } else if (xml.name() == QLatin1String("desc")) {
                        description = xml.readElementText();
                    }
                }
            }
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
            QVERIFY(texts >= 3); // text stays text
            QCOMPARE(title, drawing->title());
            QVERIFY(description.contains(someOptions().command));
            QVERIFY(description.contains(drawing->sentence()));
            QSvgRenderer renderer(svg);
            QVERIFY(renderer.isValid());
            QCOMPARE(renderer.viewBox(), QRect(0, 0, 800, 450));
            QImage image(800, 450, QImage::Format_RGB32);
            image.fill(Qt::magenta);
            QPainter painter(&image);
            renderer.render(&painter);
            painter.end();
            QVERIFY(coloursIn(image) > 8);
        }
    }

    void hostileTextStaysText() {
        ExportOptions options = someOptions();
        options.caption = hostileText();
        const HostileDrawing drawing;
        QVERIFY(exportDrawing(drawing, path("a.svg"), options));
        const ReadXml svg = readXml(written("a.svg"));
        QVERIFY2(svg.error.isEmpty(), qPrintable(svg.error));
        QVERIFY(!svg.names.contains("script") && !svg.names.contains("h1"));
        QCOMPARE(svg.titles, QStringList(lineText(hostileText())));
        QCOMPARE(svg.descriptions.size(), 1);
        QVERIFY(svg.descriptions.front().contains("<script>alert(1)</script>"));
        QVERIFY(svg.descriptions.front().endsWith(options.command));
        QVERIFY(svg.texts.join(u' ').contains("\\x1b[2J\\x01"));
        QVERIFY(QSvgRenderer(written("a.svg")).isValid());

        QVERIFY(exportDrawing(drawing, path("a.png"), options));
        const QImage image(QString::fromStdString(path("a.png")));
        QCOMPARE(image.text(QStringLiteral("Title")), lineText(hostileText()));
        QCOMPARE(commandInPng(path("a.png")), options.command);

        QVERIFY(exportDrawing(drawing, path("a.pdf"), options));
        QVERIFY(!written("a.pdf").contains("<script"));

        QVERIFY(exportDrawing(drawing, path("a.csv"), options));
        const QByteArray csv = written("a.csv");
        QVERIFY(csv.startsWith("name,'=n\n\"</title><script>alert(1)</script> & \"\"<h1>\"\" ]]>"));
        QVERIFY(csv.endsWith(",\"'=cmd()\\r\n\\xff,\"\"\\x1b[1m\"\n"));
        QVERIFY(!csv.contains('\x1b'));
    }

    void pdfHasItsPage() {
        for (const auto& drawing : drawings()) {
            QVERIFY(exportDrawing(*drawing, path("a.pdf"), someOptions()));
            const QByteArray pdf = written("a.pdf");
            QVERIFY(pdf.startsWith("%PDF-1."));
            QVERIFY(pdf.trimmed().endsWith("%%EOF"));
            // 800 x 450 pixels of 1/96 inch, in whole points.
            QVERIFY(pdf.contains("/MediaBox [0 0 600.0"));
            QVERIFY(pdf.contains(" 337.0") || pdf.contains(" 338.0"));
            QCOMPARE(pdf.count("/Type /Page\n"), 1);
            QVERIFY(!pdf.contains("CreationDate"));
            // The cross-reference table still points at itself.
            const qsizetype at = pdf.lastIndexOf("startxref") + 10;
            QVERIFY(pdf.mid(pdf.mid(at, pdf.indexOf('\n', at) - at).toLongLong()).startsWith("xref"));
        }
    }

    void csvIsTheTable() {
        for (const auto& drawing : drawings()) {
            ExportOptions options;
            options.size = {1, 1}; // no picture, so no wish about its size can be wrong
            QVERIFY(exportDrawing(*drawing, path("a.csv"), options));
            QCOMPARE(written("a.csv"), QByteArray::fromStdString(toCsv(drawing->table())));
        }
        QCOMPARE(drawingOf(fixtures::distribution())->table(), tableOf(*fixtures::distribution()));
        QCOMPARE(drawingOf(fixtures::days(), {})->table(), tableOf(*fixtures::days()));
    }

    void equalInputMakesEqualFiles() {
        for (const char* ending : {"png", "svg", "pdf", "csv"}) {
            const QByteArray first = QByteArray("a.") + ending;
            const QByteArray second = QByteArray("b.") + ending;
            QVERIFY(exportDrawing(*drawings().front(), path(first), someOptions()));
            QTest::qWait(ending == QByteArray("pdf") ? 1100 : 0); // another second of the day
            QVERIFY(exportDrawing(*drawings().front(), path(second), someOptions()));
            QVERIFY2(!written(first).isEmpty() && written(first) == written(second), ending);
        }
    }

    void paintingLeavesThePainterAsItWas() {
        for (const auto& drawing : drawings()) {
            QImage image(400, 300, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            const QTransform before = painter.transform();
            const QFont font = painter.font();
            drawing->paint(painter, QRectF(0, 0, 400, 300), Theme::light());
            QCOMPARE(painter.transform(), before);
            QCOMPARE(painter.font(), font);
            QVERIFY(!painter.hasClipping());
        }
    }
};

QTEST_MAIN(ExportDrawingTest)
#include "export_drawing_test.moc"
