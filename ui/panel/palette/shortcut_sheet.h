// `?`: all keys on one sheet.
#pragma once

#include <QDialog>
#include <QString>

#include <vector>

namespace loadline::ui {

struct ShortcutGroup {
    struct Line {
        QString keys; ///< "Ctrl+K", or several separated by " / "
        QString text; ///< what they do
    };

    QString title;
    std::vector<Line> lines;
};

class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    explicit ShortcutSheet(const std::vector<ShortcutGroup>& groups, QWidget* parent = nullptr);
};

} // namespace loadline::ui
