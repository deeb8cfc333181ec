// Help > Manual: its pages, keys, links, and the colours of both themes.
#include "ui/panel/manual/manual_window.h"

#include "tests/app/window_fixture.h"
#include "ui/panel/part/segments.h"
#include "ui/theme/theme.h"

#include <QDir>
#include <QLineEdit>
#include <QMenuBar>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

namespace {

/// Colours of the links of a page.
QSet<QRgb> linkColours(const QTextBrowser& text) {
    QSet<QRgb> colours;
    for (QTextBlock block = text.document()->begin(); block.isValid(); block = block.next()) {
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            if (const QTextCharFormat format = part.fragment().charFormat(); format.isAnchor()) {
                colours << format.foreground().color().rgb();
            }
        }
    }
    return colours;
}

} // namespace

class ManualWindowTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<WindowFixture> fixture_;

    [[nodiscard]] ui::ManualWindow* manual() const {
        return fixture_->window->findChild<ui::ManualWindow*>();
    }

    [[nodiscard]] ui::Segments& pages() const { return *manual()->findChild<ui::Segments*>(); }

    [[nodiscard]] QTextBrowser& text() const { return *manual()->findChild<QTextBrowser*>(); }

private slots:
    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<WindowFixture>();
        fixture_->trigger(ActionId::Manual);
        QVERIFY(manual());
        QVERIFY(QTest::qWaitForWindowActive(manual()));
    }

    void cleanup() { fixture_.reset(); }

    void everyPageIsThereAndHasText() {
        const QStringList files =
            QDir(LOADLINE_TEST_DATA "/../../resources/manual").entryList({"*.md"}, QDir::Files);
        const auto buttons = pages().findChildren<QAbstractButton*>();
        QCOMPARE(buttons.size(), files.size());
        QSet<QString> shown;
        for (QAbstractButton* button : buttons) {
            button->click();
            shown << text().source().fileName();
            QVERIFY2(text().toPlainText().size() > 1000, qPrintable(text().source().toString()));
            QVERIFY(text().document()->begin().blockFormat().headingLevel() == 1); // read as Markdown
            QVERIFY(!text().accessibleName().isEmpty());
        }
        QCOMPARE(shown, QSet<QString>(files.begin(), files.end()));
    }

    void opensOnceAndCloses() {
        fixture_->trigger(ActionId::Manual);
        QCOMPARE(fixture_->window->findChildren<ui::ManualWindow*>().size(), 1);
        QTest::keyClick(manual(), Qt::Key_Escape);
        QTRY_VERIFY(!manual());
    }

    void keysChooseAPage() {
        QTest::keyClick(manual(), Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(pages().current(), 2);
        QCOMPARE(text().source().fileName(), QString("formats.md"));
        QTest::keyClick(manual(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(text().source().fileName(), QString("using.md"));
        QCOMPARE(pages().current(), 0);
    }

    void linksLeadToPagesOnly() {
        emit text().anchorClicked(QUrl("validation.md"));
        QCOMPARE(pages().current(), 1);
        QCOMPARE(text().accessibleName(), QString("Manual: Validation"));
        const QUrl before = text().source();
        for (const char* elsewhere : {"https://localhost/", "file:///etc/passwd", "../prices/prices.json"}) {
            emit text().anchorClicked(QUrl(elsewhere));
            QCOMPARE(text().source(), before);
        }
    }

    void linksFollowTheTheme() {
        QCOMPARE(linkColours(text()), QSet<QRgb>{ui::Theme::light().palette().color(QPalette::Link).rgb()});
        fixture_->trigger(ActionId::ThemeDark);
        QTRY_COMPARE(linkColours(text()),
                     QSet<QRgb>{ui::Theme::dark().palette().color(QPalette::Link).rgb()});
        QCOMPARE(text().source().fileName(), QString("using.md"));
    }

    void menuAndPaletteHaveIt() {
        const QAction* const action = fixture_->window->actions()[ActionId::Manual];
        const QList<QAction*> menus = fixture_->window->menuBar()->actions();
        QVERIFY(menus.back()->menu()->actions().contains(action));
        manual()->close();
        QTRY_VERIFY(!manual());
        const std::vector<ui::PaletteEntry> entries = fixture_->window->actions().paletteEntries();
        const auto entry = std::ranges::find(entries, QString("Manual"), &ui::PaletteEntry::title);
        QVERIFY(entry != entries.end());
        QVERIFY(fixture_->window->actions().trigger(entry->id));
        QVERIFY(manual());
    }
};

QTEST_MAIN(ManualWindowTest)
#include "manual_window_test.moc"
