// A strip of what both formats serve, a few lines under the headline.
#pragma once

#include "core/simulate/answer/served_table.h"

#include <QWidget>

namespace loadline::ui {

/// The table's rows in as many blocks as its width has room for, each with a column for each format: its
/// height follows from the width alone. Intervals are left out of blocks that have no room for them; they are
/// in the tip. Ctrl+C and the menu copy all of it.
class ServedStrip : public QWidget {
    Q_OBJECT

public:
    explicit ServedStrip(QWidget* parent = nullptr);

    /// Hides the strip where the table is empty.
    void setTable(ServedTable table);

    /// Keeps the room free for a table that is not there yet.
    void reserve() { show(); }

    [[nodiscard]] const ServedTable& table() const { return table_; }

    /// The height in lines of text, at the present width.
    [[nodiscard]] int lines() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void copy() const;

    ServedTable table_;
    int blocks_ = 2;
};

} // namespace loadline::ui
