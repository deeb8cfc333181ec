// A button with the number of an answer's caveats, which unfolds them.
#pragma once

#include <QStringList>
#include <QToolButton>

namespace loadline::ui {

class NotesArea;

/// "4 caveats"; hidden where there are none.
class CaveatChip : public QToolButton {
    Q_OBJECT

public:
    explicit CaveatChip(QWidget* parent = nullptr);

    /// Each a sentence, strongest first. Those `ofChart` are preceded by its title, `chart`.
    void setCaveats(const QStringList& ofPage, const QStringList& ofChart = {}, const QString& chart = {});

    /// The sentences, shown while the chip is pressed: for the page to put below it.
    [[nodiscard]] NotesArea* notes() const { return notes_; }

private:
    void follow();

    NotesArea* notes_ = nullptr;
    QStringList caveats_;
};

} // namespace loadline::ui
