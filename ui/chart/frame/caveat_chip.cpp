// A button and the notes that it shows.
#include "ui/chart/frame/caveat_chip.h"

#include "ui/chart/frame/notes_area.h"
#include "ui/theme/plain_text.h"

namespace loadline::ui {
namespace {

constexpr int mostLines = 8;

QString tipOfChip() {
    return CaveatChip::tr("What qualifies this answer, strongest first");
}

} // namespace

CaveatChip::CaveatChip(QWidget* parent)
    : QToolButton(parent), notes_(new NotesArea(tr("Caveats"), mostLines, parent)) {
    setCheckable(true);
    setText(tr("99 caveats"));
    setFixedWidth(sizeHint().width()); // no number moves what is beside it
    QSizePolicy kept = sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    setSizePolicy(kept);
    setTip(this, tipOfChip());
    connect(this, &QToolButton::toggled, this, &CaveatChip::follow);
    follow();
}

void CaveatChip::setCaveats(const QStringList& ofPage, const QStringList& ofChart, const QString& chart) {
    QStringList caveats = ofPage;
    for (const QString& caveat : ofChart) {
        caveats << tr("%1: %2").arg(chart, caveat);
    }
    if (caveats != caveats_) {
        caveats_ = caveats;
        notes_->setNotes(caveats);
        setTip(this, ofChart.isEmpty()
                         ? tipOfChip()
                         : tr("%1. %2 of them qualify the chosen chart, \u201c%3\u201d, and change with it.")
                               .arg(tipOfChip())
                               .arg(ofChart.size())
                               .arg(chart));
        follow();
    }
}

void CaveatChip::follow() {
    setText(caveats_.size() == 1 ? tr("1 caveat") : tr("%1 caveats").arg(caveats_.size()));
    setVisible(!caveats_.isEmpty());
    notes_->setVisible(isChecked() && !caveats_.isEmpty());
}

} // namespace loadline::ui
