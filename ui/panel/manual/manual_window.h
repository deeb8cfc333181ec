// The manual, read inside the program: one of its pages at a time.
#pragma once

#include <QDialog>

namespace loadline::ui {

/// Shows the pages of resources/manual. Their text is compiled into the program; links lead to other pages
/// only.
class ManualWindow : public QDialog {
    Q_OBJECT

public:
    explicit ManualWindow(QWidget* parent = nullptr);
};

} // namespace loadline::ui
