// Light syntax colouring of pretty-printed JSON.
#include "ui/panel/evidence/json_highlighter.h"

namespace loadline::ui {

JsonHighlighter::JsonHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {}

void JsonHighlighter::setTheme(const Theme& theme) {
    key_.setForeground(theme.accent);
    string_.setForeground(theme.kind == ThemeKind::Dark ? theme.good.lighter(115) : theme.good.darker(115));
    word_.setForeground(theme.kind == ThemeKind::Dark ? theme.output.lighter(120) : theme.output);
    note_.setForeground(theme.textMuted);
    note_.setFontItalic(true);
    rehighlight();
}

void JsonHighlighter::highlightBlock(const QString& line) {
    const auto size = static_cast<int>(line.size());
    for (int at = 0; at < size;) {
        const QChar c = line[at];
        int end = at + 1;
        if (c == u'"') {
            while (end < size && line[end] != u'"') {
                end += line[end] == u'\\' ? 2 : 1;
            }
            end = std::min(end + 1, size);
            setFormat(at, end - at, end < size && line[end] == u':' ? key_ : string_);
        } else if (c.isLetterOrNumber() || c == u'-') {
            while (end < size && !line[end].isSpace() && line[end] != u',' && line[end] != u']' &&
                   line[end] != u'}') {
                ++end;
            }
            setFormat(at, end - at, word_);
        } else if (c == u'⟨') {
            end = size;
            setFormat(at, end - at, note_);
        }
        at = end;
    }
}

} // namespace loadline::ui
