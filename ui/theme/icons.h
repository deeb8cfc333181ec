// Line icons of the program, drawn in the theme's ink at any size.
#pragma once

#include "ui/theme/theme.h"

#include <QIcon>
#include <QStringList>

namespace loadline::ui {

/// An icon from resources/icons by its file name without ending ("open", "export", "copy" ...): muted ink
/// normally, full ink when active or checked, pale when disabled. Null for an unknown name.
QIcon icon(const QString& name, const Theme& theme);
/// The names there are, sorted.
QStringList iconNames();

} // namespace loadline::ui
