// A walk over every page, panel and menu with sessions written against the reader: nothing of them is opened,
// drawn as markup, turned around or written raw.
#include "app/window/export_dialog.h"
#include "core/text/visible_text.h"
#include "hostile_sessions.h"
#include "ui/model/roles.h"
#include "ui/panel/evidence/diagnostics_panel.h"
#include "ui/panel/evidence/evidence_panel.h"
#include "ui/panel/start/start_page.h"
#include "window_fixture.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QHelpEvent>
#include <QImage>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTest>
#include <QToolTip>
#include <QXmlStreamReader>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

namespace {

constexpr qsizetype mostLetters = 6000; // of anything that is shown at once

bool nothingHidden(const QString& text) {
    const std::string utf8 = text.toStdString();
    return visibleLines(utf8) == utf8;
}

/// Tags that tips make of their own; none has an address.
bool onlyOurMarkup(QString markup) {
    static const QRegularExpression tag(
        "</?(?:b|p|br|table|tr|td)(?: (?:style|cellspacing)=\"[a-z0-9:-]*\")*>");
    markup.remove(tag);
    return !markup.contains('<') && !markup.contains('>');
}

/// Opens of the bait, counted by the kernel.
class Bait {
public:
    explicit Bait(const QString& folder) : path(folder + "/bait.png") {
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(Qt::red);
        image.save(path);
        watch_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        ::inotify_add_watch(watch_, qPrintable(path), IN_OPEN | IN_ACCESS);
    }

    Bait(const Bait&) = delete;
    Bait& operator=(const Bait&) = delete;

    ~Bait() { ::close(watch_); }

    [[nodiscard]] bool wasTaken() const {
        std::array<char, 4096> events{};
        return ::read(watch_, events.data(), events.size()) > 0;
    }

    QString path;

private:
    int watch_ = -1;
};

/// What is wrong with the window, said once each.
class Findings {
public:
    void check(bool good, const QString& where, const QString& text) {
        if (!good) {
            all_ << where + ": " + text.left(160);
        }
    }

    void plain(const QString& where, const QString& text) {
        check(nothingHidden(text), where + " has something hidden", text);
        check(text.size() < mostLetters, where + " is endless", text);
    }

    void tip(const QString& where, const QString& text) {
        plain(where, text);
        check(!Qt::mightBeRichText(text) || onlyOurMarkup(text), where + " is markup", text);
    }

    [[nodiscard]] QString text() {
        all_.removeDuplicates();
        return all_.mid(0, 20).join('\n');
    }

private:
    QStringList all_;
};

void checkModel(Findings& found, const QString& where, const QAbstractItemModel& model,
                const QModelIndex& parent = {}, int depth = 0) {
    const int columns = std::min(model.columnCount(parent), 40);
    for (int column = 0; column < columns; ++column) {
        found.plain(where + " heading", model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        found.tip(where + " heading's tip",
                  model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
    }
    for (int row = 0; row < std::min(model.rowCount(parent), 60); ++row) {
        for (int column = 0; column < columns; ++column) {
            const QModelIndex index = model.index(row, column, parent);
            for (const int role : {int(Qt::DisplayRole), int(Qt::AccessibleTextRole), int(Qt::StatusTipRole),
                                   int(Qt::AccessibleDescriptionRole)}) {
                const QString text = index.data(role).toString();
                found.plain(where + " cell", text);
                found.check(!text.contains('\n'), where + " cell has lines", text);
            }
            found.tip(where + " tip", index.data(Qt::ToolTipRole).toString());
        }
        if (depth < 3) {
            checkModel(found, where, model, model.index(row, 0, parent), depth + 1);
        }
    }
}

void checkButton(Findings& found, const QString& where, const QString& text) {
    found.plain(where, text);
    if (text.contains("Hostile")) {
        const QString rest = QString(text).remove("&&");
        found.check(!rest.section("Hostile", 1).contains('&'), where + " takes a key", text);
    }
}

void checkWidget(Findings& found, QWidget& widget) {
    const QString where = widget.metaObject()->className() + (" " + widget.objectName());
    found.tip(where + " tooltip", widget.toolTip());
    found.tip(where + " what's this", widget.whatsThis());
    for (const QString& text : {widget.statusTip(), widget.accessibleName(), widget.accessibleDescription(),
                                widget.windowTitle()}) {
        found.plain(where, text);
    }
    if (const auto* label = qobject_cast<QLabel*>(&widget)) {
        const bool shown = widget.testAttribute(Qt::WA_WState_Polished);
        const bool tip = widget.inherits("QTipLabel");
        found.plain(where + " label", label->text());
        found.check(!shown || tip || label->textFormat() != Qt::AutoText, where + " guesses", label->text());
        static const QRegularExpression swatch("^<span style='color:#[0-9a-f]{6}'>■</span> ");
        if (tip) {
            found.tip(where, label->text());
        } else if (label->textFormat() == Qt::RichText) {
            found.check(onlyOurMarkup(QString(label->text()).remove(swatch)), where + " is markup",
                        label->text());
        }
    }
    if (const auto* button = qobject_cast<QAbstractButton*>(&widget)) {
        checkButton(found, where, button->text());
    }
    if (const auto* box = qobject_cast<QComboBox*>(&widget)) {
        checkModel(found, where, *box->model());
    }
    if (const auto* view = qobject_cast<QAbstractItemView*>(&widget); view && view->model()) {
        checkModel(found, where, *view->model());
    }
    if (const auto* edit = qobject_cast<QPlainTextEdit*>(&widget)) {
        found.check(nothingHidden(edit->toPlainText()), where + " has something hidden", edit->toPlainText());
    }
}

void checkActions(Findings& found, const QObject& owner) {
    for (const QAction* action : owner.findChildren<QAction*>()) {
        checkButton(found, "action", action->text().section('\t', 0, 0));
        found.tip("action's tip", action->toolTip());
        found.plain("action's status tip", action->statusTip());
    }
}

/// Everything that can be seen or heard now.
void checkAll(Findings& found) {
    for (QWidget* widget : QApplication::allWidgets()) {
        checkWidget(found, *widget);
        checkActions(found, *widget);
    }
}

/// Hovers all over a widget, and looks at what pops up.
void hover(Findings& found, QWidget& widget, int step) {
    for (int y = 3; y < widget.height(); y += step) {
        for (int x = 3; x < widget.width(); x += 2 * step) {
            const QPoint at(x, y);
            QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(&widget, &move);
            QHelpEvent help(QEvent::ToolTip, at, widget.mapToGlobal(at));
            QApplication::sendEvent(&widget, &help);
            found.tip("shown tip", QToolTip::text());
        }
    }
    for (QWidget* top : QApplication::topLevelWidgets()) {
        if (top->inherits("QTipLabel")) {
            checkWidget(found, *top);
            top->grab();
        }
    }
    QToolTip::hideText();
}

} // namespace

class HostileTextTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    std::unique_ptr<Bait> bait_;
    QString sessions_;

    void look(Findings& found, const WindowFixture& f) {
        QApplication::processEvents();
        f.window->grab();
        checkAll(found);
        QVERIFY(!bait_->wasTaken());
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

    void everyPageShowsTextAsItIs() {
        WindowFixture f;
        QVERIFY(f.open(sessions_));
        QCOMPARE(f.bench().corpus()->sessions.size(), std::size_t{8});
        f.trigger(ActionId::DockDiagnostics);
        f.trigger(ActionId::DockEvidence);
        for (const Page page : pages) {
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
            WorkbenchState state = f.bench().state();
            state.scope.sessions = {session.key};
            f.bench().change("Choose " + QString::fromStdString(session.title), state);
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
