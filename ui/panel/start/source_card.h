// A large button with an icon, a title and a line that explains it.
#pragma once

#include <QAbstractButton>
#include <QString>

namespace loadline::ui {

class SourceCard : public QAbstractButton {
    Q_OBJECT

public:
    SourceCard(QString iconName, const QString& title, QWidget* parent);

    void setExplanation(const QString& text); ///< up to three lines
    void setPrimary(bool primary);            ///< the one that most people want

    [[nodiscard]] const QString& explanation() const { return explanation_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString iconName_, explanation_;
    bool primary_ = false;
};

} // namespace loadline::ui
