// Text of strangers on its way into the window: shown as it is, never interpreted.
#pragma once

#include <QMetaType>
#include <QString>

#include <string_view>
#include <utility>
#include <vector>

class QAction;
class QApplication;
class QComboBox;
class QPoint;
class QWidget;

namespace loadline::ui {

/// One line of at most `limit` characters in which everything hidden is visible (core's visibleText).
QString lineText(const QString& text, qsizetype limit = 1000);
QString lineText(std::string_view utf8, qsizetype limit = 1000);
/// The same, but its line ends stay.
QString linesText(const QString& text, qsizetype limit = 4000);
/// lineText for a button, menu or tab, where a single '&' would underline a letter and take its key.
QString buttonText(const QString& text, qsizetype limit = 200);

/// Text of a tooltip, made of plain text: nothing in it is markup, it is bounded, long lines are broken.
class Tip {
public:
    using Rows = std::vector<std::pair<QString, QString>>;

    Tip() = default;
    Tip(const QString& plain); // NOLINT(google-explicit-constructor): any text is a tip
    /// Labels with their values, below a heading in bold (none where it is empty).
    static Tip table(const QString& heading, const Rows& rows);

    /// For Qt: plain text that Qt takes for such, or escaped.
    [[nodiscard]] const QString& text() const { return text_; }

private:
    QString text_;
};

// Nothing else sets a tooltip.
void setTip(QWidget* widget, const Tip& tip);
void setTip(QAction* action, const Tip& tip);
void setItemTip(QComboBox* box, int row, const Tip& tip);
/// Shows it at once, until the pointer leaves the widget.
void showTip(const QPoint& globalPosition, const Tip& tip, QWidget* widget);

/// From now on no label of the application takes text for markup unless its format was set to be so: Qt's own
/// dialogs too. Once is enough, more do no harm.
void keepLabelsPlain(QApplication& application);

} // namespace loadline::ui

Q_DECLARE_METATYPE(loadline::ui::Tip)
