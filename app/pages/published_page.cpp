// The page of the published tables.
#include "app/pages/published_page.h"

#include "app/chart/simulation_chart.h"
#include "ui/theme/plain_text.h"

#include <QLabel>
#include <QScrollArea>

namespace loadline::app {
namespace {

constexpr int notesLines = 8; ///< the others scroll

} // namespace

PublishedPage::PublishedPage(Workbench& bench)
    : SimulationPage(bench, Page::Published, {&charts::studyUsers, &charts::studyTurn}), notes_(new QLabel) {
    grid()->setLead(5, 3);
    notes_->setWordWrap(true);
    notes_->setTextFormat(Qt::PlainText);
    notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    notes_->setProperty("role", "muted");
    notes_->setContentsMargins(2 * ui::spacing, 0, 2 * ui::spacing, 2 * ui::spacing);
    notes_->setAccessibleName(tr("What is known about the differences"));
    auto* area = new QScrollArea;
    area->setWidget(notes_);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFixedHeight(notesLines * notes_->fontMetrics().lineSpacing());
    addBelow(area);
    hidePanel(); // of the parameters only the profile matters, and the study had one
}

void PublishedPage::follow(const SimulationShown& shown) {
    QStringList lines{
        tr("Printed: %1.").arg(QString::fromUtf8(studySource.data(), qsizetype(studySource.size())))};
    for (const std::string& note : studyNotes(*shown.figure.as<StudyTables>())) {
        lines << QString::fromStdString(note);
    }
    notes_->setText(ui::linesText(lines.join(u'\n')));
}

} // namespace loadline::app
