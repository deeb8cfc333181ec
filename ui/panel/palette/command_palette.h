// Ctrl K: find a page, session, setting or command by a few letters.
#pragma once

#include "ui/model/palette_model.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListView;

namespace loadline::ui {

/// Floats over its parent; hides on Escape, a choice, or when the focus leaves.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    /// `purpose`: what its field asks for, "" for everything.
    explicit CommandPalette(QWidget* parent, const QString& purpose = {});

    void setEntries(std::vector<PaletteEntry> entries); ///< in the order shown without a search
    void popUp();                                       ///< centred near the parent's top, empty search

signals:
    void activated(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void search(const QString& text);
    void choose(const QModelIndex& index);
    void leave();
    void moveBy(int rows);
    void place();

    PaletteModel* model_;
    QLineEdit* field_;
    QListView* list_;
    QLabel* nothing_;
    QPointer<QWidget> before_; ///< had the keys when it popped up
};

} // namespace loadline::ui
