// Paragraphs that take the height they need, up to so many lines; what is beyond scrolls line by line.
#pragma once

#include <QScrollArea>
#include <QStringList>

class QLabel;

namespace loadline::ui {

class NotesArea : public QScrollArea {
    Q_OBJECT

public:
    /// `name`: what the notes are about, for who cannot see them. `mostLines`: before they scroll.
    NotesArea(const QString& name, int mostLines, QWidget* parent = nullptr);

    /// Each a paragraph of its own, as plain text.
    void setNotes(const QStringList& notes);
    [[nodiscard]] QString text() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    QLabel* label_;
    int mostLines_;
};

} // namespace loadline::ui
