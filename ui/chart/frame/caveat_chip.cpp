// A button and the notes that it shows.
#include "ui/chart/frame/caveat_chip.h"

#include "ui/chart/frame/notes_area.h"
#include "ui/theme/plain_text.h"

namespace loadline::ui {
namespace {

constexpr int mostLines = 8;

} // namespace

CaveatChip::CaveatChip(QWidget* parent)
    : QToolButton(parent), notes_(new NotesArea(tr("Caveats"), mostLines, parent)) {
    setCheckable(true);
    setText(tr("99 caveats"));
    setFixedWidth(sizeHint().width()); // no number moves what is beside it
    QSizePolicy kept = sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    setSizePolicy(kept);
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
    setText(caveats_.size() == 1 ? tr("1 caveat") : tr("%1 caveats").arg(caveats_.size()));
    setVisible(!caveats_.isEmpty());
    notes_->setVisible(isChecked() && !caveats_.isEmpty());
}

} // namespace loadline::ui
