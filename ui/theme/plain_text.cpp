// Escapes, bounds, and the only calls that set tooltips.
#include "ui/theme/plain_text.h"

#include "core/text/visible_text.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QStringList>
#include <QToolTip>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr qsizetype mostTipLetters = 3000;
constexpr qsizetype mostTipLines = 40;
constexpr qsizetype mostLineLetters = 120; // a wider tooltip leaves small screens
constexpr qsizetype mostCellLetters = 400; // of a table, which Qt breaks into lines

bool isShownAsItIs(QChar c) {
    const bool ascii = c.unicode() >= 0x20 && c.unicode() < 0x7F;
    return ascii || (!c.isSurrogate() && !isHidden(c.unicode()));
}

/// A limit of characters counts at most two QChars each: what lies behind is not even looked at.
std::string utf8Of(const QString& text, qsizetype limit) {
    return text.left(2 * limit + 2).toStdString();
}

QString fromUtf8(const std::string& text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Lines of at most mostLineLetters, broken at blanks where there are any.
QStringList brokenLines(const QString& text) {
    QStringList lines;
    for (QString line : text.split(QLatin1Char('\n'))) {
        while (line.size() > mostLineLetters) {
            const qsizetype blank = line.lastIndexOf(QLatin1Char(' '), mostLineLetters);
            qsizetype end = blank > mostLineLetters / 2 ? blank : mostLineLetters;
            end += line[end].isLowSurrogate() ? 1 : 0;
            lines << line.left(end);
            line = line.mid(end + (end == blank ? 1 : 0));
        }
        lines << line;
    }
    return lines;
}

class PlainLabels : public QObject {
public:
    using QObject::QObject;

    /// Labels are polished before they are laid out, and only then is their text interpreted.
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Polish) {
            auto* label = qobject_cast<QLabel*>(watched);
            // Tooltips are labels too; their text is a Tip's.
            if (label != nullptr && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel")) {
                label->setTextFormat(Qt::PlainText);
            }
        }
        return false;
    }
};

} // namespace

QString lineText(const QString& text, qsizetype limit) {
    const bool asItIs = text.size() <= limit && std::all_of(text.begin(), text.end(), isShownAsItIs);
    return asItIs ? text : fromUtf8(visibleText(utf8Of(text, limit), static_cast<std::size_t>(limit)));
}

QString lineText(std::string_view utf8, qsizetype limit) {
    return fromUtf8(visibleText(utf8, static_cast<std::size_t>(limit)));
}

QString linesText(const QString& text, qsizetype limit) {
    return fromUtf8(visibleLines(utf8Of(text, limit), static_cast<std::size_t>(limit)));
}

QString buttonText(const QString& text, qsizetype limit) {
    return lineText(text, limit).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

Tip::Tip(const QString& plain) {
    QStringList lines = brokenLines(linesText(plain, mostTipLetters));
    if (lines.size() > mostTipLines) {
        lines = lines.mid(0, mostTipLines) << QStringLiteral("…");
    }
    text_ = lines.join(QLatin1Char('\n'));
    if (Qt::mightBeRichText(text_)) {
        text_ = QStringLiteral("<p style=\"white-space:pre\">%1</p>").arg(text_.toHtmlEscaped());
    }
}

Tip Tip::table(const QString& heading, const Rows& rows) {
    const auto escaped = [](const QString& text) {
        return linesText(text, mostCellLetters)
            .toHtmlEscaped()
            .replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    };
    Tip tip;
    if (!heading.isEmpty()) {
        tip.text_ = QStringLiteral("<b>") + escaped(heading) + QStringLiteral("</b>");
    }
    tip.text_ += QStringLiteral("<table cellspacing=\"0\">");
    for (const auto& [label, value] : rows) {
        tip.text_ += QStringLiteral("<tr><td style=\"padding-right:12px\">") + escaped(label) +
                     QStringLiteral("</td><td>") + escaped(value) + QStringLiteral("</td></tr>");
    }
    tip.text_ += QStringLiteral("</table>");
    return tip;
}

void setTip(QWidget* widget, const Tip& tip) {
    widget->setToolTip(tip.text());
}

void setTip(QAction* action, const Tip& tip) {
    action->setToolTip(tip.text());
}

void setItemTip(QComboBox* box, int row, const Tip& tip) {
    box->setItemData(row, tip.text(), Qt::ToolTipRole);
}

void showTip(const QPoint& globalPosition, const Tip& tip, QWidget* widget) {
    QToolTip::showText(globalPosition, tip.text(), widget);
}

void keepLabelsPlain(QApplication& application) {
    static const char* const name = "plain labels";
    if (application.findChild<QObject*>(name, Qt::FindDirectChildrenOnly) == nullptr) {
        auto* filter = new PlainLabels(&application);
        filter->setObjectName(name);
        application.installEventFilter(filter);
    }
}

} // namespace loadline::ui
