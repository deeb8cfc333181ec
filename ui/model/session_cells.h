// Texts of the cells of the Sessions list: short texts, exact texts and tooltips.
#pragma once

#include "core/workload/scope/session_tree.h"
#include "ui/theme/plain_text.h"

#include <QString>
#include <QVariant>

namespace loadline::ui {

QString titleOf(SessionColumn column);
QString explanationOf(SessionColumn column); ///< header tooltip: meaning, unit, marks
bool isNumeric(SessionColumn column);

QString cellText(const SessionTree& tree, const SessionNode& node, SessionColumn column);
/// Returns the text to copy: whole numbers without grouping, ISO times, full names; empty if there is no
/// value.
QString cellExact(const SessionTree& tree, const SessionNode& node, SessionColumn column);
Tip cellToolTip(const SessionTree& tree, const SessionNode& node, SessionColumn column);
QVariant cellSortValue(const SessionTree& tree, const SessionNode& node, SessionColumn column);

} // namespace loadline::ui
