// A walk over every page, panel, menu and dialog with sessions written against the reader: nothing of them is
// opened, drawn as markup, turned around or written raw.
#include "app/window/export/export_flow.h"
#include "tests/app/hostile_sessions.h"
#include "tests/app/hostile_walk.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/evidence/diagnostics_panel.h"
#include "ui/panel/evidence/evidence_panel.h"
#include "ui/panel/kernels/rule_dialog.h"
#include "ui/panel/kernels/shapes_dialog.h"
#include "ui/panel/simulation/engine_dialog.h"
#include "ui/panel/start/start_page.h"

#include <QAbstractItemView>
#include <QDialog>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QXmlStreamReader>

using namespace loadline;
using namespace loadline::app;
using made_up::Bait;
using made_up::checkAll;
using made_up::Findings;
using made_up::hover;
using made_up::nothingHidden;
using made_up::WindowFixture;

class HostileTextTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    std::unique_ptr<Bait> bait_;
    QString sessions_;

    void look(Findings& found, const WindowFixture& f) {
        QApplication::processEvents();
        f.window->grab();
        for (QDialog* dialog : f.window->findChildren<QDialog*>()) {
            dialog->grab();
        }
        checkAll(found);
        QVERIFY(!bait_->wasTaken());
    }

    /// This session alone, under its own name in the list of what can be undone.
    static void choose(const WindowFixture& f, const Session& session) {
        WorkbenchState state = f.bench().state();
        state.scope.sessions = {session.key};
        f.bench().change("Choose " + QString::fromStdString(session.title), state);
    }

private slots:
    void initTestCase() {
        bait_ = std::make_unique<Bait>(folder_.path());
        sessions_ = made_up::writeHostile(folder_.filePath("Hostile <h1>&x\n\x1b[31m"), bait_->path);
        QVERIFY(!sessions_.isEmpty());
        QVERIFY(!bait_->wasTaken());
        QFile self(bait_->path); // the watch sees who opens it
        QVERIFY(self.open(QIODevice::ReadOnly));
        QVERIFY(bait_->wasTaken());
    }

    void init() { made_up::failOnWarnings(); }

    void cleanup() { QVERIFY(!bait_->wasTaken()); }

    void everyPageShowsTextAsItIs() {
        WindowFixture f;
        QVERIFY(f.open(sessions_));
        QCOMPARE(f.bench().corpus()->sessions.size(), std::size_t{8});
        f.trigger(ActionId::DockDiagnostics);
        f.trigger(ActionId::DockEvidence);
        for (const Page page : pages()) {
            QVERIFY(f.show(page));
            Findings found;
            look(found, f);
            f.workspace().showTables(true);
            look(found, f);
            f.workspace().showTables(false);
            QVERIFY2(found.text().isEmpty(), qPrintable(found.text()));
        }
    }

    void everySessionsTimelineAndItsTips() {
        WindowFixture f;
        QVERIFY(f.open(sessions_));
        QVERIFY(f.show(Page::Timeline));
        Findings found;
        const auto corpus = f.bench().corpus();
        for (const Session& session : corpus->sessions) {
            choose(f, session);
            QVERIFY(f.settle());
            QWidget* chart = f.workspace().page(Page::Timeline).frame()->chart();
            hover(found, *chart, 24);
            for (int i = 0; i < 12; ++i) { // a walk by keys speaks
                QTest::keyClick(chart, i % 4 == 3 ? Qt::Key_Down : Qt::Key_Right);
                found.tip("tip of a walk", QToolTip::text());
            }
            QTest::keyClick(chart, Qt::Key_Return); // pinned: Evidence says what it is
            QVERIFY(f.settle());
            QTest::qWait(20);
            look(found, f);
            QVERIFY2(found.text().isEmpty(), qPrintable(found.text()));
        }
    }

    void tipsOfEveryViewOpenNothing() {
        WindowFixture f;
        QVERIFY(f.open(sessions_));
        f.trigger(ActionId::DockDiagnostics);
        Findings found;
        for (const Page page : {Page::Sessions, Page::Composition, Page::Timeline}) {
            QVERIFY(f.show(page));
            for (QAbstractItemView* view : f.window->findChildren<QAbstractItemView*>()) {
                if (view->isVisible()) {
                    hover(found, *view->viewport(), 14);
                }
            }
            for (QWidget* widget : f.window->findChildren<QWidget*>()) {
                if (widget->isVisible() && !widget->toolTip().isEmpty()) {
                    hover(found, *widget, 1000);
                }
            }
            look(found, f);
        }
        QVERIFY2(found.text().isEmpty(), qPrintable(found.text()));
    }

    void chipsMenusPaletteAndTitles() {
        WindowFixture f;
        QVERIFY(f.open(sessions_));
        QVERIFY(f.show(Page::Sessions));
        Findings found;
        const auto corpus = f.bench().corpus();
        for (std::size_t i = 0; i < corpus->sessions.size(); ++i) {
            const Session& session = corpus->sessions[i];
            WorkbenchState state = f.bench().state();
            state.scope = {};
            state.scope.sessions = {session.key};
            state.scope.projects = {session.project};
            state.scope.models = {corpus->models[i % corpus->models.size()]};
            state.scope.text = session.title;
            f.bench().change("Choose " + QString::fromStdString(session.title), state);
            QVERIFY(f.settle());
            look(found, f);
        }
        WorkbenchState state = f.bench().state();
        state.scope = {};
        f.bench().change("All", state);
        QVERIFY(f.settle());
        for (QMenu* menu : f.window->findChildren<QMenu*>()) {
            emit menu->aboutToShow();
        }
        checkAll(found);
        f.trigger(ActionId::FindAnything);
        for (QLineEdit* field : f.window->findChildren<QLineEdit*>()) {
            if (field->placeholderText().contains("Find a page")) {
                QTest::keyClicks(field, "Hostile");
                look(found, f);
                QTest::keyClick(field, Qt::Key_Escape);
            }
        }
        QVERIFY(f.window->windowTitle().contains("\\x1b[31m"));
        f.restart(); // the start page and the menu name the folder
        for (QMenu* menu : f.window->findChildren<QMenu*>()) {
            emit menu->aboutToShow();
        }
        look(found, f);
        QVERIFY2(found.text().isEmpty(), qPrintable(found.text()));
    }

    void messagesAndEvidence() {
        WindowFixture f;
        Findings found;
        for (const QString& text : made_up::hostileTexts(bait_->path)) {
            f.window->showError({text.toStdString(), text.toStdString(), text.toStdString()});
            f.window->startPage().setError(text);
            look(found, f);
            const QString missing = folder_.filePath("none" + QString(text).remove('/').left(60));
            f.window->openPaths({missing});
            QVERIFY(f.settle());
            look(found, f);
        }
        QVERIFY(f.open(sessions_));
        f.trigger(ActionId::DockEvidence);
        for (const QString& text : made_up::hostileTexts(bait_->path)) {
            ui::Evidence evidence;
            evidence.title = evidence.path = text.toStdString();
            evidence.details = {{text.left(2000).toStdString(), text.toStdString()},
                                {"text", text.toStdString()}};
            f.workspace().evidence().setEvidence(evidence);
            f.workspace().evidence().setRaw(evidence.place,
                                            "{\"a\":\"" + text.left(3000).toStdString() + "\"}");
            look(found, f);
            f.workspace().evidence().setRawError(evidence.place, text);
            look(found, f);
        }
        QVERIFY2(found.text().isEmpty(), qPrintable(found.text()));
    }

    void theShapesDialog() {
        WindowFixture f;
        Findings found;
        for (const QString& text : made_up::hostileTexts(bait_->path)) {
            f.trigger(ActionId::EditShapes);
            auto* dialog = f.window->findChild<ui::ShapesDialog*>();
            QVERIFY(dialog && dialog->isVisible());
            ModelShapes shapes = *findShapePreset("llama-3.1-8b");
            shapes.key = shapes.name = shapes.source = text.toStdString();
            for (LayerGemm& gemm : shapes.gemms) {
                gemm.name = text.toStdString();
            }
            dialog->load(shapes);
            look(found, f);
            hover(found, *dialog->view()->viewport(), 14);
            dialog->setOutcome(text);
            look(found, f);
            dialog->say(text, true);
            look(found, f);
            QVERIFY(f.settle()); // what was simulated with them stands in the window
            look(found, f);
            QVERIFY2(found.text().isEmpty(), qPrintable(found.text()));
            dialog->reject();
            QVERIFY(QTest::qWaitFor([&] { return !f.window->findChild<QDialog*>(); }, 5000));
        }
    }

    void theRuleDialog() {
        WindowFixture f;
        f.trigger(ActionId::EditKernels);
        auto* dialog = f.window->findChild<ui::RuleDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        Findings found;
        for (const QString& text : made_up::hostileTexts(bait_->path)) {
            for (const QString& rule : {text, "scalar:" + text, "code;" + text}) {
                dialog->text()->selectAll();
                dialog->text()->insert(rule); // as pasted
                look(found, f);
                QVERIFY(!dialog->answer()->text().isEmpty()); // refused
            }
            dialog->setOutcome(text);
            look(found, f);
        }
        QVERIFY2(found.text().isEmpty(), qPrintable(found.text()));
    }

    void theEngineDialog() {
        WindowFixture f;
        f.trigger(ActionId::PasteVllm);
        auto* dialog = f.window->findChild<ui::EngineDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        Findings found;
        for (const QString& whole : made_up::hostileTexts(bait_->path)) {
            const QString text = whole.left(20'000); // a field to write in lays out what is pasted
            const QString quoted = QString(text).replace('\'', ' ');
            const QString json = QJsonDocument(QJsonObject{{"model", text}, {text, text}}).toJson();
            for (const QString& pasted :
                 {text, "vllm serve '" + quoted + "' --max-num-seqs 7 '--" + quoted + "' 3", json,
                  "model: " + text + "\n" + text.left(60) + ": 4\n"}) {
                dialog->text()->setPlainText(pasted);
                look(found, f);
            }
            for (auto* view : dialog->findChildren<QAbstractItemView*>()) {
                hover(found, *view->viewport(), 14);
            }
            QVERIFY2(found.text().isEmpty(), qPrintable(found.text()));
        }
    }

    void theExportDialog() {
        WindowFixture f;
        QVERIFY(f.open(sessions_));
        QVERIFY(f.show(Page::Timeline));
        Findings found;
        const auto corpus = f.bench().corpus();
        for (const Session& session : corpus->sessions) {
            choose(f, session);
            QVERIFY(f.settle());
            f.trigger(ActionId::ExportAs);
            auto* dialog = f.window->findChild<ExportDialog*>();
            QVERIFY(dialog && dialog->isVisible());
            QSignalSpy shown(dialog, &ExportDialog::previewShown);
            QVERIFY(shown.wait(20'000));
            look(found, f);
            QVERIFY2(found.text().isEmpty(), qPrintable(found.text()));
            dialog->reject();
            QVERIFY(QTest::qWaitFor([&] { return !f.window->findChild<QDialog*>(); }, 5000));
        }
    }

    void everyExportIsItsFormat() {
        WindowFixture f;
        QVERIFY(f.open(sessions_));
        const auto corpus = f.bench().corpus();
        for (const Page page : {Page::Distributions, Page::Timeline, Page::Composition}) {
            for (std::size_t i = 0; i < corpus->sessions.size(); i += page == Page::Timeline ? 1 : 5) {
                WorkbenchState state = f.bench().state();
                state.page = page;
                state.scope.sessions = {corpus->sessions[i].key};
                f.bench().change("Choose", state);
                QVERIFY(f.settle());
                for (const char* ending : {"svg", "png", "pdf", "csv"}) {
                    const QString path =
                        folder_.filePath(QString("out %1 %2.%3").arg(int(page)).arg(i).arg(ending));
                    f.window->exportTo(path);
                    QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path); }, 20'000));
                    QFile file(path);
                    QVERIFY(file.open(QIODevice::ReadOnly));
                    const QByteArray bytes = file.readAll();
                    if (ending == QByteArray("svg")) {
                        QXmlStreamReader xml(bytes);
                        while (!xml.atEnd()) {
                            if (xml.readNext() == QXmlStreamReader::StartElement) {
                                const QString name = xml.name().toString();
                                QVERIFY2(name != "h1" && name != "img" && name != "script" && name != "a",
                                         qPrintable(name));
                            } else if (xml.isCharacters()) {
                                QVERIFY2(nothingHidden(xml.text().toString()),
                                         qPrintable(xml.text().toString()));
                            }
                        }
                        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
                    } else if (ending == QByteArray("csv")) {
                        QVERIFY(nothingHidden(QString::fromUtf8(bytes)));
                    } else if (ending == QByteArray("png")) {
                        const QImage image(path);
                        for (const QString& key : image.textKeys()) {
                            QVERIFY2(nothingHidden(image.text(key)), qPrintable(key));
                        }
                    }
                }
            }
        }
        QVERIFY(!bait_->wasTaken());
    }
};

QTEST_MAIN(HostileTextTest)
#include "hostile_text_test.moc"
