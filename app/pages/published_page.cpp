// The page of the published tables.
#include "app/pages/published_page.h"

#include "ui/chart/simulation/study_drawing.h"
#include "ui/theme/plain_text.h"

#include <QLabel>

namespace loadline::app {

PublishedPage::PublishedPage(Workbench& bench)
    : SimulationPage(bench, Page::Published,
                     {{ChartKind::StudyUsers, tr("Printed, and simulated")},
                      {ChartKind::StudyTurn, tr("A single user's turn")}}),
      notes_(new QLabel) {
    grid()->setLead(5, 3);
    notes_->setWordWrap(true);
    notes_->setTextFormat(Qt::PlainText);
    notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    notes_->setProperty("role", "muted");
    notes_->setContentsMargins(2 * ui::spacing, 0, 2 * ui::spacing, 2 * ui::spacing);
    notes_->setAccessibleName(tr("What is known about the differences"));
    addBelow(notes_);
    hidePanel(); // of the parameters only the profile matters, and the study had one
}

std::vector<std::shared_ptr<const ui::PlotDrawing>>
PublishedPage::drawingsOf(const SimulationShown& shown, const std::vector<ui::PlotExtents>& /*held*/,
                          const Simulated& /*pinned*/) const {
    return {ui::usersDrawingOf(shown.study), ui::turnDrawingOf(shown.study)};
}

void PublishedPage::follow(const SimulationShown& shown) {
    QStringList lines{
        tr("Printed: %1.").arg(QString::fromUtf8(studySource.data(), qsizetype(studySource.size())))};
    for (const std::string& note : studyNotes(*shown.study)) {
        lines << QString::fromStdString(note);
    }
    notes_->setText(ui::linesText(lines.join(u'\n')));
}

} // namespace loadline::app
