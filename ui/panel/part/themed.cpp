// How a panel follows the theme.
#include "ui/panel/part/themed.h"

#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QEvent>
#include <QFontMetrics>
#include <QLabel>
#include <QToolBar>
#include <QToolButton>

namespace loadline::ui {

namespace {

class ThemeWatcher : public QObject {
public:
    ThemeWatcher(QWidget* widget, std::function<void(const Theme&)> apply)
        : QObject(widget), widget_(widget), apply_(std::move(apply)), kind_(themeOf(*widget).kind) {
        widget->installEventFilter(this);
        apply_(Theme::of(kind_));
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        // Style sheets may change a palette without saying so; both events are rare.
        if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
            const ThemeKind kind = themeOf(*widget_).kind;
            if (kind != kind_) {
                // Later: while Qt goes through all widgets for a new style sheet, none may be deleted.
                kind_ = kind;
                QMetaObject::invokeMethod(
                    this, [this] { apply_(Theme::of(kind_)); }, Qt::QueuedConnection);
            }
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QWidget* widget_;
    std::function<void(const Theme&)> apply_;
    ThemeKind kind_;
};

} // namespace

const Theme& themeOf(const QWidget& widget) {
    return Theme::of(Theme::systemKind(widget.palette()));
}

void followTheme(QWidget* widget, std::function<void(const Theme&)> apply) {
    new ThemeWatcher(widget, std::move(apply));
}

QLabel* mutedLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("role", "muted");
    return label;
}

QToolButton* toolButton(const QString& text, const QString& tip) {
    auto* result = new QToolButton;
    result->setText(text);
    setTip(result, tip);
    result->setAccessibleName(tip);
    result->setFocusPolicy(Qt::StrongFocus);
    return result;
}

void inkExtension(QToolBar& bar) {
    auto* button = bar.findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
    if (button == nullptr) {
        return;
    }
    constexpr int side = 16;
    button->setIconSize({side, side});
    const auto ink = [button, &bar] {
        const bool below = bar.orientation() == Qt::Vertical;
        button->setIcon(
            icon(below ? QStringLiteral("more-below") : QStringLiteral("more-right"), themeOf(bar)));
    };
    followTheme(&bar, [ink](const Theme&) { ink(); });
    QObject::connect(&bar, &QToolBar::orientationChanged, button, ink); // which Qt answers with its own
}

QString middleElided(const QString& text, const QFont& font, int width) {
    return QFontMetrics(font).elidedText(text, Qt::ElideMiddle, width);
}

} // namespace loadline::ui
