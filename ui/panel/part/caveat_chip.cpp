// A button and the notes that it shows.
#include "ui/panel/part/caveat_chip.h"

#include "ui/panel/part/notes_area.h"
#include "ui/theme/plain_text.h"

namespace loadline::ui {
namespace {

constexpr int mostLines = 8;

} // namespace

CaveatChip::CaveatChip(QWidget* parent)
    : QToolButton(parent), notes_(new NotesArea(tr("Caveats"), mostLines, parent)) {
    setCheckable(true);
    setTip(this, tr("What qualifies this answer, strongest first"));
    connect(this, &QToolButton::toggled, this, &CaveatChip::follow);
    follow();
}

void CaveatChip::setCaveats(const QStringList& caveats) {
    if (caveats != caveats_) {
        caveats_ = caveats;
        notes_->setNotes(caveats);
        follow();
    }
}

void CaveatChip::follow() {
    setText(tr("%n caveat(s)", nullptr, static_cast<int>(caveats_.size()))
                .replace("(s)", caveats_.size() == 1 ? "" : "s"));
    setVisible(!caveats_.isEmpty());
    notes_->setVisible(isChecked() && !caveats_.isEmpty());
}

} // namespace loadline::ui
