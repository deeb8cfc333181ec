// Following the system: Qt 6.4 tells of palettes, not of dark mode.
#include "app/window/settings/appearance.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/style.h"

#include <QApplication>
#include <QEvent>

namespace loadline::app {

Appearance::Appearance(QApplication& application, QObject* parent)
    : QObject(parent), application_(application), system_(ui::Theme::systemKind(QApplication::palette())),
      kind_(system_) {
    QApplication::setStyle(new ui::Style);
    apply();
    ui::keepLabelsPlain(application);
    application_.installEventFilter(this);
}

void Appearance::setChoice(ThemeChoice choice) {
    choice_ = choice;
    const ui::ThemeKind before = kind_;
    kind_ = choice == ThemeChoice::System  ? system_
            : choice == ThemeChoice::Light ? ui::ThemeKind::Light
                                           : ui::ThemeKind::Dark;
    if (kind_ == before) {
        return;
    }
    apply();
    emit kindChanged(kind_);
}

void Appearance::apply() {
    applying_ = true;
    const ui::Theme& theme = ui::Theme::of(kind_);
    QApplication::setPalette(theme.palette());
    application_.setStyleSheet(theme.styleSheet());
    applying_ = false;
}

bool Appearance::eventFilter(QObject* watched, QEvent* event) {
    const bool application = watched == &application_ && event->type() == QEvent::ApplicationPaletteChange;
    const bool desktop = event->type() == QEvent::ThemeChange && watched->isWindowType();
    if (!applying_ && (application || desktop)) {
        if (desktop) { // our own palette hides the system's: take it off to look
            applying_ = true;
            QApplication::setPalette(QPalette());
            applying_ = false;
        }
        system_ = ui::Theme::systemKind(QApplication::palette());
        if (choice_ == ThemeChoice::System && system_ != kind_) {
            setChoice(choice_);
        } else {
            apply();
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace loadline::app
