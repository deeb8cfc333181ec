// The only place that shows markup: pages of ours, read from the program's resources.
#include "ui/panel/manual/manual_window.h"

#include "ui/panel/part/segments.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"

#include <QDialogButtonBox>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextTable>

#include <algorithm>
#include <array>

namespace loadline::ui {

namespace {

struct ManualPage {
    const char* file;
    const char* title;
};

constexpr auto manualPages = std::to_array<ManualPage>(
    {{"using.md", "Using"}, {"validation.md", "Validation"}, {"formats.md", "Formats"}});

QUrl addressOf(const ManualPage& page) {
    return QUrl(QStringLiteral("qrc:/manual/") + page.file);
}

/// Draws tables with thin lines and leaves room above headings and tables: Qt's reader of Markdown does
/// neither.
void dress(QTextDocument& document, const Theme& theme) {
    document.setDocumentMargin(2 * spacing);
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorderCollapse(true);
            format.setBorder(1);
            format.setBorderBrush(theme.border);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setCellSpacing(0);
            format.setCellPadding(5);
            format.setTopMargin(spacing);
            format.setBottomMargin(spacing);
            table->setFormat(format);
        }
    }
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.position() > 0 && block.blockFormat().headingLevel() > 0) {
            QTextBlockFormat room;
            room.setTopMargin(2 * spacing);
            QTextCursor(block).mergeBlockFormat(room);
        }
    }
}

} // namespace

ManualWindow::ManualWindow(QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Manual"));
    auto* text = new QTextBrowser(this);
    text->setOpenLinks(false); // nothing but these pages is ever opened
    text->setFrameShape(QFrame::NoFrame);

    std::vector<Segments::Choice> choices;
    for (const ManualPage& page : manualPages) {
        const QString key = QStringLiteral("Ctrl+%1").arg(choices.size() + 1);
        choices.push_back({tr(page.title), key});
    }
    auto* pages = new Segments(tr("Page of the manual"), choices, this);
    const auto show = [this, pages, text](int index) {
        const ManualPage& page = manualPages.at(static_cast<std::size_t>(index));
        pages->setCurrent(index);
        text->setSource(addressOf(page), QTextDocument::MarkdownResource);
        text->setAccessibleName(tr("Manual: %1").arg(tr(page.title)));
        dress(*text->document(), themeOf(*text));
        text->verticalScrollBar()->setValue(0);
    };
    for (std::size_t i = 0; i < choices.size(); ++i) {
        auto* key = new QShortcut(QKeySequence(choices[i].toolTip), this);
        connect(key, &QShortcut::activated, this, [show, i] { show(static_cast<int>(i)); });
    }
    connect(pages, &Segments::chosen, this, show);
    connect(text, &QTextBrowser::anchorClicked, this, [show, text](const QUrl& link) {
        const auto found = std::ranges::find(manualPages, text->source().resolved(link), addressOf);
        if (found != manualPages.end()) {
            show(static_cast<int>(found - manualPages.begin()));
        }
    });
    show(0);
    followTheme(text, [text](const Theme& theme) { // links keep the colour with which they were read
        const int line = text->verticalScrollBar()->value();
        text->reload();
        dress(*text->document(), theme);
        text->verticalScrollBar()->setValue(line);
    });

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    constexpr int around = 2 * spacing;
    columnOf({rowOf({pages, Stretch{}}), {text, 1}, buttons}, spacing, this,
             {around, around, around, around});
    text->setFocus();
    resize(920, 680);
}

} // namespace loadline::ui
