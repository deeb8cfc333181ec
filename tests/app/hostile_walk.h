// Looks at everything that a window shows: nothing hidden, no markup but our own, nothing opened.
#pragma once

#include "core/text/visible_text.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QToolTip>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace made_up {

inline constexpr qsizetype mostLetters = 6000; // of anything that is shown at once

inline bool nothingHidden(const QString& text) {
    const std::string utf8 = text.toStdString();
    return loadline::visibleLines(utf8) == utf8;
}

/// Tags that tips make of their own; none has an address.
inline bool onlyOurMarkup(QString markup) {
    static const QRegularExpression tag(
        "</?(?:b|p|br|table|tr|td)(?: (?:style|cellspacing)=\"[a-z0-9:-]*\")*>");
    markup.remove(tag);
    return !markup.contains('<') && !markup.contains('>');
}

/// A picture that nothing may open: the kernel tells of every open and read.
class Bait {
public:
    explicit Bait(const QString& folder) : path(folder + "/bait.png") {
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(Qt::red);
        image.save(path);
        watch_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        ::inotify_add_watch(watch_, qPrintable(path), IN_OPEN | IN_ACCESS);
    }

    Bait(const Bait&) = delete;
    Bait& operator=(const Bait&) = delete;

    ~Bait() { ::close(watch_); }

    [[nodiscard]] bool wasTaken() const {
        std::array<char, 4096> events{};
        return ::read(watch_, events.data(), events.size()) > 0;
    }

    QString path;

private:
    int watch_ = -1;
};

/// What is wrong with the window, said once each.
class Findings {
public:
    void check(bool good, const QString& where, const QString& text) {
        if (!good) {
            all_ << where + ": " + text.left(160);
        }
    }

    void plain(const QString& where, const QString& text) {
        check(nothingHidden(text), where + " has something hidden", text);
        check(text.size() < mostLetters, where + " is endless", text);
    }

    void tip(const QString& where, const QString& text) {
        plain(where, text);
        check(!Qt::mightBeRichText(text) || onlyOurMarkup(text), where + " is markup", text);
    }

    [[nodiscard]] QString text() {
        all_.removeDuplicates();
        return all_.mid(0, 20).join('\n');
    }

private:
    QStringList all_;
};

inline void checkModel(Findings& found, const QString& where, const QAbstractItemModel& model,
                       const QModelIndex& parent = {}, int depth = 0) {
    const int columns = std::min(model.columnCount(parent), 40);
    for (int column = 0; column < columns; ++column) {
        found.plain(where + " heading", model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        found.tip(where + " heading's tip",
                  model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
    }
    for (int row = 0; row < std::min(model.rowCount(parent), 60); ++row) {
        for (int column = 0; column < columns; ++column) {
            const QModelIndex index = model.index(row, column, parent);
            for (const int role : {int(Qt::DisplayRole), int(Qt::AccessibleTextRole), int(Qt::StatusTipRole),
                                   int(Qt::AccessibleDescriptionRole)}) {
                const QString text = index.data(role).toString();
                found.plain(where + " cell", text);
                found.check(!text.contains('\n'), where + " cell has lines", text);
            }
            found.tip(where + " tip", index.data(Qt::ToolTipRole).toString());
        }
        if (depth < 3) {
            checkModel(found, where, model, model.index(row, 0, parent), depth + 1);
        }
    }
}

inline void checkButton(Findings& found, const QString& where, const QString& text) {
    found.plain(where, text);
    if (text.contains("Hostile")) {
        const QString rest = QString(text).remove("&&");
        found.check(!rest.section("Hostile", 1).contains('&'), where + " takes a key", text);
    }
}

inline void checkWidget(Findings& found, QWidget& widget) {
    const QString where = widget.metaObject()->className() + (" " + widget.objectName());
    found.tip(where + " tooltip", widget.toolTip());
    found.tip(where + " what's this", widget.whatsThis());
    for (const QString& text : {widget.statusTip(), widget.accessibleName(), widget.accessibleDescription(),
                                widget.windowTitle()}) {
        found.plain(where, text);
    }
    if (const auto* label = qobject_cast<QLabel*>(&widget)) {
        const bool shown = widget.testAttribute(Qt::WA_WState_Polished);
        const bool tip = widget.inherits("QTipLabel");
        found.plain(where + " label", label->text());
        found.check(!shown || tip || label->textFormat() != Qt::AutoText, where + " guesses", label->text());
        static const QRegularExpression swatch("^<span style='color:#[0-9a-f]{6}'>■</span> ");
        if (tip) {
            found.tip(where, label->text());
        } else if (label->textFormat() == Qt::RichText) {
            found.check(onlyOurMarkup(QString(label->text()).remove(swatch)), where + " is markup",
                        label->text());
        }
    }
    if (const auto* button = qobject_cast<QAbstractButton*>(&widget)) {
        checkButton(found, where, button->text());
    }
    if (const auto* box = qobject_cast<QComboBox*>(&widget)) {
        checkModel(found, where, *box->model());
    }
    if (const auto* view = qobject_cast<QAbstractItemView*>(&widget); view && view->model()) {
        checkModel(found, where, *view->model());
    }
    if (const auto* edit = qobject_cast<QLineEdit*>(&widget); edit && edit->isReadOnly()) {
        found.plain(where, edit->text());
    }
    if (const auto* edit = qobject_cast<QPlainTextEdit*>(&widget); edit && edit->isReadOnly()) {
        found.check(nothingHidden(edit->toPlainText()), where + " has something hidden", edit->toPlainText());
    }
}

inline void checkActions(Findings& found, const QObject& owner) {
    for (const QAction* action : owner.findChildren<QAction*>()) {
        checkButton(found, "action", action->text().section('\t', 0, 0));
        found.tip("action's tip", action->toolTip());
        found.plain("action's status tip", action->statusTip());
    }
}

/// Everything that can be seen or heard now.
inline void checkAll(Findings& found) {
    for (QWidget* widget : QApplication::allWidgets()) {
        checkWidget(found, *widget);
        checkActions(found, *widget);
    }
}

/// Hovers all over a widget, and looks at what pops up.
inline void hover(Findings& found, QWidget& widget, int step) {
    for (int y = 3; y < widget.height(); y += step) {
        for (int x = 3; x < widget.width(); x += 2 * step) {
            const QPoint at(x, y);
            QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(&widget, &move);
            QHelpEvent help(QEvent::ToolTip, at, widget.mapToGlobal(at));
            QApplication::sendEvent(&widget, &help);
            found.tip("shown tip", QToolTip::text());
        }
    }
    for (QWidget* top : QApplication::topLevelWidgets()) {
        if (top->inherits("QTipLabel")) {
            checkWidget(found, *top);
            top->grab();
        }
    }
    QToolTip::hideText();
}

} // namespace made_up
