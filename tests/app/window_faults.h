// What of a window is cut, lies outside of its place or overlaps.
#pragma once

#include "ui/panel/part/elided_button.h"

#include <QAbstractButton>
#include <QHeaderView>
#include <QLabel>
#include <QStringList>
#include <QToolButton>
#include <QWidget>

#include <cstddef>
#include <vector>

namespace made_up {

/// Why a text does not fit its widget; empty: it does, or the whole of it is in the tip.
inline QString cutText(const QWidget& widget) {
    if (!widget.toolTip().isEmpty()) {
        return {};
    }
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (label->text().isEmpty() || label->textFormat() == Qt::RichText) {
            return {};
        }
        const bool fits = label->wordWrap() ? label->heightForWidth(label->width()) <= label->height() + 1
                                            : label->sizeHint().width() <= label->width() + 1;
        return fits ? QString() : "label \"" + label->text() + "\"";
    }
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    if (!button || button->text().isEmpty() || qobject_cast<const loadline::ui::ElidedButton*>(button)) {
        return {};
    }
    const auto* tool = qobject_cast<const QToolButton*>(button);
    if (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull()) {
        return {};
    }
    return button->minimumSizeHint().width() <= button->width() + 1 ? QString()
                                                                    : "button \"" + button->text() + "\"";
}

/// Heads of columns that are cut, though nothing tells what they are called.
inline QStringList cutHeads(const QHeaderView& header) {
    QStringList cut;
    for (int i = 0; header.orientation() == Qt::Horizontal && i < header.count(); ++i) {
        const QString text = header.model()->headerData(i, Qt::Horizontal).toString();
        const bool told =
            !header.model()->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty();
        if (!header.isSectionHidden(i) && !told &&
            header.fontMetrics().horizontalAdvance(text) > header.sectionSize(i)) {
            cut << "cut: head \"" + text + "\"";
        }
    }
    return cut;
}

inline QString nameOf(const QWidget& widget) {
    const QString text = qobject_cast<const QLabel*>(&widget) ? static_cast<const QLabel&>(widget).text()
                                                              : widget.accessibleName();
    return QString("%1 %2 \"%3\"").arg(widget.metaObject()->className(), widget.objectName(), text.left(40));
}

/// What of `window` is cut or overlaps, one line each.
inline QStringList faultsOf(const QWidget& window) {
    QStringList faults;
    for (const auto* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != &window) {
            continue;
        }
        if (const QString cut = cutText(*widget); !cut.isEmpty()) {
            faults << "cut: " + cut;
        }
        if (const auto* header = qobject_cast<const QHeaderView*>(widget); header && header->model()) {
            faults << cutHeads(*header);
        }
        std::vector<const QWidget*> laidOut;
        for (const auto* child : widget->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
            if (child->isVisible() && child->testAttribute(Qt::WA_LaidOut) && !child->size().isEmpty()) {
                laidOut.push_back(child);
            }
        }
        for (std::size_t i = 0; i < laidOut.size(); ++i) {
            if (!widget->rect().contains(laidOut[i]->geometry())) {
                faults << "outside of " + nameOf(*widget) + ": " + nameOf(*laidOut[i]);
            }
            for (std::size_t j = 0; j < i; ++j) {
                if (laidOut[i]->geometry().intersects(laidOut[j]->geometry())) {
                    faults << "overlap: " + nameOf(*laidOut[i]) + " and " + nameOf(*laidOut[j]);
                }
            }
        }
    }
    return faults;
}

} // namespace made_up
