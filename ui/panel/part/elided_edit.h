// A field whose text ends in an ellipsis where it does not fit, until it is edited.
#pragma once

#include <QLineEdit>

namespace loadline::ui {

/// Its tip begins with the whole text.
class ElidedEdit : public QLineEdit {
    Q_OBJECT

public:
    explicit ElidedEdit(QWidget* parent = nullptr);

    /// What the field is for: the rest of its tip.
    void setHelp(const QString& help);

    /// What is painted: the text, or as much of it as there is room for.
    [[nodiscard]] QString shownText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QRect textRect() const;
    void showHelp();

    QString help_;
};

} // namespace loadline::ui
