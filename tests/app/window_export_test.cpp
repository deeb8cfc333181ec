// Leaving with something: files and clipboard from the window equal what the command line would make.
#include "app/asked/asked.h"
#include "app/chart/chart_request.h"
#include "app/page/page_picture.h"
#include "app/pages/sessions/timeline_page.h"
#include "app/window/export/export_flow.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/export_drawing.h"
#include "ui/chart/frame/heading.h"
#include "ui/chart/timeline/timeline_chart.h"
#include "ui/panel/part/banner.h"

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

class WindowExportTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir sessions_, out_;
    std::unique_ptr<WindowFixture> fixture_;

    [[nodiscard]] WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] QString out(const QString& name) const { return out_.filePath(name); }

    [[nodiscard]] bool save(const QString& path) const {
        QSignalSpy saved(&f().window->exportFlow(), &ExportFlow::saved);
        f().window->exportTo(path);
        return saved.wait(20'000) && saved.first().first().toString() == path;
    }

    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:

    void initTestCase() { made_up::writeThree(sessions_.path()); }

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<WindowFixture>();
        QVERIFY(f().open(sessions_.path()));
    }

    void cleanup() { fixture_.reset(); }

    void everyPageInEveryFormat_data() {
        QTest::addColumn<Page>("page");
        QTest::newRow("sessions") << Page::Sessions;
        QTest::newRow("distributions") << Page::Distributions;
        QTest::newRow("timeline") << Page::Timeline;
        QTest::newRow("composition") << Page::Composition;
        QTest::newRow("cache") << Page::Cache;
    }

    void everyPageInEveryFormat() {
        QFETCH(Page, page);
        QVERIFY(f().show(page));
        const QString name = QTest::currentDataTag();
        for (const QString format : {"png", "svg", "pdf", "csv"}) {
            QVERIFY(save(out(name + "." + format)));
        }

        const QImage image(out(name + ".png"));
        QCOMPARE(image.size(), QSize(1600, 900));
        QVERIFY(read(out(name + ".svg")).contains("<svg"));
        QVERIFY(read(out(name + ".pdf")).startsWith("%PDF"));
        QCOMPARE(QString(read(out(name + ".csv"))), QString::fromStdString(toCsv(f().tableOf(page))));

        const ChartRequest request = f().workspace().page(page).request();
        const std::string png = out(name + ".png").toStdString();
        const std::string command = commandFor(request, optionsOf(f().window->settings().exports), png);
        QCOMPARE(ui::commandInPng(png), QString::fromStdString(command));
        QVERIFY(command.starts_with("loadline export "));
        QVERIFY(command.find(sessions_.path().toStdString()) != std::string::npos);
    }

    void theCommandKnowsScopeAndOptions() {
        WorkbenchState state = f().bench().state();
        state.asked.sessions.distribution.method = TurnMethod::Prompt;
        state.scope.models = {"claude-made-up-2"};
        f().bench().change("Choose", state);
        QVERIFY(f().show(Page::Distributions));
        QVERIFY(save(out("scoped.png")));
        const QString command = ui::commandInPng(out("scoped.png").toStdString());
        QVERIFY(command.contains("claude-made-up-2"));
        QVERIFY(command.contains("prompt"));
    }

    void aZoomedTimelineSaysWhatIsInView() {
        QVERIFY(f().show(Page::Timeline));
        auto& page = f().page<TimelinePage>(Page::Timeline);
        const ChartRequest whole = page.request();
        const auto all = drawingFor(whole, f().bench().corpus());
        QVERIFY(all);
        QVERIFY2((*all)->sentence().startsWith("Most tokens at "), qPrintable((*all)->sentence()));
        const double extent = page.chart()->frame()->x.extent;
        emit page.chart()->viewChanged({page.chart()->view().axis, 0, extent / 3});
        QTRY_VERIFY(f().bench().selected() && !f().bench().selected()->sentence.empty());
        const auto part = drawingFor(page.request(), f().bench().corpus());
        QVERIFY(part);
        QCOMPARE((*part)->sentence(), QString::fromStdString(f().bench().selected()->sentence));
        QVERIFY2((*part)->sentence().contains(" UTC holds "), qPrintable((*part)->sentence()));
    }

    void aPageIsExportedUnderItsOwnSentence() {
        QVERIFY(f().show(Page::Sessions));
        PageView& page = f().workspace().currentPage();
        ChartMemory memory;
        const auto picture = pictureOf(Page::Sessions, page.requests(), f().bench().corpus(), memory);
        QVERIFY(picture);
        QVERIFY(picture->leftOut.empty());
        const QString sentence = picture->drawing->sentence();
        QVERIFY2(sentence.startsWith("3 sessions made 36 API calls"), qPrintable(sentence));
        QCOMPARE(sentence, page.frame()->drawing()->sentence());
    }

    void theCachePageIsExportedUnderItsAnswer() {
        QVERIFY(f().show(Page::Cache));
        PageView& page = f().workspace().currentPage();
        ChartMemory memory;
        const auto picture = pictureOf(Page::Cache, page.requests(), f().bench().corpus(), memory);
        QVERIFY(picture);
        const QString sentence = picture->drawing->sentence();
        QVERIFY2(sentence.startsWith("3 sessions at their recorded times share the HBM of 2 replicas"),
                 qPrintable(sentence));
        const QString shown = made_up::textOf(page).simplified(); // two labels, units stay with figures
        constexpr int threeLines = 160; // what there is room for; the rest is its tooltip
        QVERIFY2(shown.contains(sentence.simplified().left(threeLines)), qPrintable(sentence + shown));
        const ui::Answer& answer = page.frame()->findChild<ui::Heading*>()->answer();
        QCOMPARE((answer.first + ' ' + answer.rest).simplified(), sentence.simplified());
    }

    void savesWaitForEachOther() {
        QSignalSpy saved(&f().window->exportFlow(), &ExportFlow::saved);
        for (int i = 0; i < 5; ++i) {
            f().window->exportTo(out(QString("many%1.csv").arg(i)));
        }
        QTRY_COMPARE(saved.count(), 5);
        for (int i = 0; i < 5; ++i) {
            QVERIFY(QFile::exists(out(QString("many%1.csv").arg(i))));
        }
    }

    void failuresAreSentencesInTheWindow() {
        f().window->exportTo("/nowhere/at/all/x.png");
        QTRY_VERIFY(f().window->banner().isVisible());
        QVERIFY(f().window->banner().text().contains("/nowhere/at/all"));
        QVERIFY(f().open(sessions_.path())); // the next loading clears it
        QVERIFY(!f().window->banner().isVisible());
    }

    void copyingTakesPictureAndNumbers() {
        QVERIFY(f().show(Page::Composition));
        QSignalSpy copied(&f().window->exportFlow(), &ExportFlow::copied);
        f().trigger(ActionId::CopyChart);
        QVERIFY(copied.wait(20'000));
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QVERIFY(data->hasImage());
        const QStringList lines = data->text().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), static_cast<qsizetype>(f().tableOf(Page::Composition).rows.size()) + 1);
        QVERIFY(lines.first().contains('\t'));
    }

    void theDialogShowsWhatWillBeWritten() {
        QVERIFY(f().show(Page::Distributions));
        ExportChoices choices;
        choices.size = {1200, 600};
        ExportDialog dialog(f().workspace().currentPage().request(), f().bench().corpus(), choices);
        QSignalSpy shown(&dialog, &ExportDialog::previewShown);
        dialog.show();
        QVERIFY(shown.wait(20'000));
        QLabel* preview = nullptr;
        for (auto* label : dialog.findChildren<QLabel*>()) {
            if (!label->pixmap().isNull()) {
                preview = label;
            }
        }
        QVERIFY(preview);
        for (const QScrollBar* bar : dialog.findChildren<QScrollBar*>()) {
            QVERIFY2(bar->maximum() == 0, "the preview is in sight whole");
        }
        const QSize first = preview->pixmap().size();
        QCOMPARE(qRound(100.0 * first.width() / first.height()), 200); // 1200 : 600
        dialog.findChildren<QSpinBox*>()[1]->setValue(1200);
        QVERIFY(shown.wait(20'000));
        const QSize square = preview->pixmap().size();
        QCOMPARE(square.width(), square.height());
        auto* format = dialog.findChildren<QComboBox*>()[0];
        format->setCurrentIndex(format->findData("csv"));
        QVERIFY(!dialog.findChildren<QSpinBox*>()[0]->isEnabled());
        QCOMPARE(dialog.choices().format, QStringLiteral("csv"));
        QCOMPARE(dialog.choices().size, QSize(1200, 1200));
    }

    void suggestedNamesSayWhatIsInside() {
        QVERIFY(f().show(Page::Timeline));
        const QString name =
            suggestedName(f().workspace().currentPage().request(), f().bench().corpus().get(), "svg");
        QVERIFY2(name.startsWith("loadline-timeline-question-1-of-session-3"), qPrintable(name));
        QVERIFY(name.endsWith(".svg"));
    }
};

QTEST_MAIN(WindowExportTest)
#include "window_export_test.moc"
