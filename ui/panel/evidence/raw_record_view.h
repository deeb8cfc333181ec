// The raw JSON of one record, indented and coloured; long strings folded until asked for.
#pragma once

#include "core/text/json/json_pretty.h"

#include <QWidget>

#include <string>

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace loadline::ui {

class RawRecordView : public QWidget {
    Q_OBJECT

public:
    explicit RawRecordView(QWidget* parent);

    void setWaiting();
    void setText(const std::string& text);
    void setError(const QString& sentence);

    [[nodiscard]] QString shownText() const;

private:
    void present(const QString& note, bool failed);
    void format();

    std::string text_;
    QPlainTextEdit* edit_;
    QLabel* note_;
    QToolButton *unfold_, *wrap_, *copy_;
};

} // namespace loadline::ui
