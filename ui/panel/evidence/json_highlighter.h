// Light syntax colouring of pretty-printed JSON.
#pragma once

#include "ui/theme/theme.h"

#include <QSyntaxHighlighter>

namespace loadline::ui {

/// Works line by line: strings never span lines in what prettyJson writes.
class JsonHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    explicit JsonHighlighter(QTextDocument* document);
    void setTheme(const Theme& theme);

protected:
    void highlightBlock(const QString& line) override;

private:
    QTextCharFormat key_, string_, word_, note_;
};

} // namespace loadline::ui
