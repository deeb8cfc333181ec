// Light or dark: the user's choice, else what the system's palette asks for, followed as it changes.
#pragma once

#include "app/window/settings/settings.h"
#include "ui/theme/theme.h"

#include <QObject>

class QApplication;

namespace loadline::app {

/// Dresses the whole application (Fusion style, the theme's palette and style sheet).
class Appearance : public QObject {
    Q_OBJECT

public:
    explicit Appearance(QApplication& application, QObject* parent = nullptr);

    void setChoice(ThemeChoice choice);

    [[nodiscard]] ThemeChoice choice() const { return choice_; }

    [[nodiscard]] ui::ThemeKind kind() const { return kind_; }

signals:
    void kindChanged(loadline::ui::ThemeKind kind);

protected:
    /// Hears of palette and theme changes of the application.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();

    QApplication& application_;
    ThemeChoice choice_ = ThemeChoice::System;
    ui::ThemeKind system_;
    ui::ThemeKind kind_;
    bool applying_ = false;
};

} // namespace loadline::app
