// What pays, and the curves of kernels that are dragged there.
#include "core/cost/device/hardware.h"
#include "core/cost/kernel/dispatch_text.h"
#include "core/simulate/plot/plot_parts.h"
#include "core/simulate/run/cost_tables.h"
#include "tests/ui/chart/painted_words.h"
#include "tests/ui/simulation_fixtures.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace loadline;
using namespace loadline::ui;
using namespace loadline::ui::made_up;

class WhatPaysDrawingsTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    /// cuBLAS is timed wherever it runs: for the head at any M, behind dequantise from some M on.
    void aKernelsCurveTellsInWhichGemmsItRuns() {
        SimulatorFigure figure = figureOf();
        SimulationInputs& inputs = figure.inputs;
        inputs.hardware = findHardware("RTX4090");
        inputs.cost.model = *findShapePreset("llama-3.1-8b");
        inputs.tables = CostTables::make(inputs, {inputs.cost.format}, 1024).value();
        const auto drawing = drawn(kernelTimesReport, shared(figure));
        int alone = 0;
        int both = 0;
        std::int64_t lastAlone = 0; // cuBLAS
        std::int64_t firstBoth = 0;
        for (const auto& row : drawing->table().rows) {
            const auto& gemms = std::get<std::string>(row[4]);
            QVERIFY(!gemms.empty());
            if (row[0] == Cell(std::string("cublas_fp16"))) {
                const bool isAlone = std::get<std::int64_t>(row[1]) <= 16; // rule: dequantise from 17 on
                QCOMPARE(gemms == "lm_head", isAlone);
                (isAlone ? alone : both)++;
                const auto m = std::get<std::int64_t>(row[1]);
                lastAlone = isAlone ? m : lastAlone;
                firstBoth = !isAlone && firstBoth == 0 ? m : firstBoth;
            } else {
                QVERIFY(gemms.find("lm_head") == std::string::npos);
            }
        }
        QVERIFY(alone > 0 && both > 0);
        QCOMPARE(lastAlone, std::int64_t{16}); // to the row, wherever the curve has its other points
        QCOMPARE(firstBoth, std::int64_t{17});
        const QRectF area(0, 0, 800, 400);
        QStringList said;
        for (int y = 0; y < 400; y += 4) {
            for (int x = 60; x < 800; x += 4) {
                said += drawing->readOut(QPointF(x, y), area);
            }
        }
        QVERIFY(said.join('|').contains(" in lm_head"));
        QVERIFY(hasInk(painted(*drawing, {800, 400}, ThemeKind::Dark)));
        QCOMPARE(servingWords(Kernel::CublasFp16, inputs), std::string("fp16 cuBLAS (lm_head)"));
        QCOMPARE(servingWords(Kernel::Mma, inputs), std::string("MMA"));
    }

    /// Wherever the rule changes, though a curve has no points at most numbers of rows.
    void aCurveEndsAtTheRowWhereTheKernelChanges() {
        SimulatorFigure figure = figureOf();
        SimulationInputs& inputs = figure.inputs;
        inputs.hardware = findHardware("RTX4090");
        inputs.cost.model = *findShapePreset("llama-3.1-8b");
        for (const std::int64_t last : {61, 62, 63, 64}) {
            inputs.cost.rule =
                dispatchRuleFromText("mma:" + std::to_string(last) + ",dequant_cublas").value();
            inputs.tables = CostTables::make(inputs, {inputs.cost.format}, 1024).value();
            std::int64_t most = 0;
            for (const auto& row : drawn(kernelTimesReport, shared(figure))->table().rows) {
                most = row[0] == Cell(std::string("mma")) ? std::get<std::int64_t>(row[1]) : most;
            }
            QCOMPARE(most, last);
        }
    }

    void sharesOfAKernelArePartedByWhatItServes() {
        WhatPays pays;
        pays.naming = KernelNaming::Gpu;
        pays.fp16Gemms = "lm_head";
        KernelPay cublas;
        cublas.share = 0.285;
        cublas.aloneShare = 0.01;
        cublas.improvements = {{1.5, 0.9, 1.15, 12.0}};
        pays.kernels = {cublas};
        const auto drawing = drawingOf(whatPaysReport(std::make_shared<const WhatPays>(pays)));
        const Table table = drawing->table();
        const auto column = std::ranges::find(table.columns, "alone_share") - table.columns.begin();
        QVERIFY(column < std::ssize(table.columns));
        QCOMPARE(table.rows.front()[static_cast<std::size_t>(column)], Cell(0.01));
        const QString said = drawing->readOut({20, 60}, QRectF(0, 0, 900, 200)).join(u'\n');
        QVERIFY2(said.contains("28.5 % of the time, 1.0 % for lm_head and 27.5 % behind dequantise"),
                 qPrintable(said));
        pays.isPreview = true;
        pays.shareError = previewError;
        const auto preview = drawingOf(whatPaysReport(std::make_shared<const WhatPays>(pays)));
        QVERIFY(preview->readOut({20, 60}, QRectF(0, 0, 900, 200)).join(u'\n').contains("28 % of the time"));
        pays.shareError = oneRunError;
        const auto rough = drawingOf(whatPaysReport(std::make_shared<const WhatPays>(pays)));
        QVERIFY(
            rough->readOut({20, 60}, QRectF(0, 0, 900, 200)).join(u'\n').contains("about 30 % of the time"));
    }

    /// Choices are no parts of the time: they have a table of their own below, under heads of their own.
    void choicesStandUnderTheirHeads() {
        WhatPays pays;
        KernelPay kernel;
        kernel.kernel = Kernel::Mma;
        kernel.share = 0.4;
        kernel.improvements = {{1.5, 0.9, 1.15, 12.0}};
        pays.kernels = {kernel};
        OtherPay rule;
        rule.kind = PayKind::Dispatch;
        rule.change = "MMA up to 80 rows a step instead of 16";
        rule.improvements = {{1, 0.9, 1.25, 12.0}};
        OtherPay chunk;
        chunk.kind = PayKind::Chunk;
        chunk.change = "no limit is best";
        chunk.latency = ChoiceLatency{0.0415, 0.161, 128, 0.05, 0.079, 1.02, 0, 0};
        pays.others = {rule, chunk};
        const auto drawing = drawingOf(whatPaysReport(std::make_shared<const WhatPays>(pays)));
        const QRectF area(0, 0, 1000, 420);
        const QStringList words = fixtures::paintedWords(
            {1000, 420}, [&](QPainter& painter) { drawing->paint(painter, area, Theme::light()); });
        const qsizetype heads = words.indexOf("choice");
        QVERIFY2(heads > words.indexOf("at its limit") && words.indexOf("at its limit") > 0,
                 qPrintable(words.join('|')));
        QCOMPARE(words.mid(heads, 3), (QStringList{"choice", "change", "with the change"}));
        QVERIFY(words.indexOf("MMA") < heads && words.indexOf(QString::fromStdString(rule.change)) > heads);
        QVERIFY(words.indexOf("\u221220.0\u202F%") > heads || words.indexOf("\u221220.0 %") > heads);
        const auto why =
            std::ranges::find_if(words, [](const QString& word) { return word.startsWith("TTFT p50"); });
        QVERIFY2(why != words.end() && why->endsWith("2.0 % more time"), qPrintable(words.join('|')));
        QVERIFY(drawing->readOut({300, 250}, area).join('|').contains("TTFT p50"));
    }

    /// No bar of what is saved lies under its figure: where there is no room for both, the figure stands
    /// alone.
    void barsDoNotRunThroughFigures() {
        WhatPays pays;
        for (int i = 0; i < 6; ++i) {
            KernelPay kernel;
            kernel.kernel = allKernels[static_cast<std::size_t>(i)];
            kernel.share = 0.1;
            kernel.improvements = {{1.5, 0.9, 2, 12.0}, {2, 0.9, 2, 12.0}};
            pays.kernels.push_back(kernel);
        }
        const auto drawing = drawingOf(whatPaysReport(std::make_shared<const WhatPays>(pays)));
        const QRgb bar = Theme::light().good.rgb();
        const auto bars = [&](int height) {
            const QImage image = painted(*drawing, {900, height}, ThemeKind::Light);
            int count = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    count += image.pixel(x, y) == bar ? 1 : 0;
                }
            }
            return count;
        };
        QVERIFY(bars(400) > 100);
        QCOMPARE(bars(110), 0);
    }

    void whatPaysListsEveryImprovement() {
        WhatPays pays;
        KernelPay kernel;
        kernel.kernel = Kernel::Dequantise;
        kernel.share = 0.4;
        kernel.improvements = {{1.5, 0.9, 1.15, 12.0},
                               {std::numeric_limits<double>::infinity(), 0.6, 1.67, std::nullopt}};
        pays.kernels = {kernel};
        pays.sentence = "Dequantise pays.";
        const auto drawing = drawingOf(whatPaysReport(std::make_shared<const WhatPays>(pays)));
        QCOMPARE(drawing->table().rows.size(), std::size_t{2});
        QVERIFY(hasInk(painted(*drawing, {600, 200}, ThemeKind::Light)));
        const QImage alone = painted(*drawing, {600, 200}, ThemeKind::Light);
        pays.restShare = 0.6;
        const auto whole = drawingOf(whatPaysReport(std::make_shared<const WhatPays>(pays)));
        QCOMPARE(whole->table().rows.size(), std::size_t{3});
        QCOMPARE(whole->table().rows.back().front(), Cell(std::string("attention_and_host")));
        QVERIFY(painted(*whole, {600, 200}, ThemeKind::Light) != alone);
        painted(*drawingOf(whatPaysReport(std::make_shared<const WhatPays>())), {600, 200}, ThemeKind::Light);
        painted(*drawn(kernelTimesReport, shared(figureOf())), {600, 200},
                ThemeKind::Light); // without tables
    }
};

QTEST_MAIN(WhatPaysDrawingsTest)

#include "what_pays_drawings_test.moc"
