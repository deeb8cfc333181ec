// Ctrl K: find a page, session, setting or command by a few letters.
#pragma once

#include <QFrame>
#include <QString>

#include <vector>

namespace loadline::ui {

struct PaletteEntry {
    QString id;       ///< what activated() gives back
    QString title;    ///< matched
    QString hint;     ///< matched too, muted: "page", "session of project-a"
    QString shortcut; ///< as text in the user's language, may be empty
    bool operator==(const PaletteEntry&) const = default;
};

/// Floats over its parent; hides on Escape, a choice, or when the focus leaves.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* parent);

    void setEntries(std::vector<PaletteEntry> entries); ///< in the order shown without a search
    void popUp();                                       ///< centred near the parent's top, empty search

signals:
    void activated(const QString& id);
};

} // namespace loadline::ui
