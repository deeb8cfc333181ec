// A dialog whose content scrolls where the screen is too low for it.
#pragma once

class QDialog;
class QDialogButtonBox;
class QWidget;

namespace loadline::ui {

/// Fills the dialog, `width` pixels wide, with `content` over `buttons`; these stay in sight.
void fillDialog(QDialog& dialog, QWidget* content, QDialogButtonBox* buttons, int width);

} // namespace loadline::ui
