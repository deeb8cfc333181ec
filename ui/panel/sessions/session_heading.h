// Which session a page shows: its name, which opens a choice of others, and steps to the ones beside it.
#pragma once

#include <QAbstractButton>
#include <QString>
#include <QWidget>

class QToolButton;

namespace loadline::ui {

/// A title, and what else tells sessions apart in muted ink; both are cut where they do not fit. Its place
/// and height never depend on what it says.
class SessionName : public QAbstractButton {
    Q_OBJECT

public:
    using QAbstractButton::QAbstractButton;

    void setWords(const QString& title, const QString& about);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QString title_, about_;
};

class SessionHeading : public QWidget {
    Q_OBJECT

public:
    explicit SessionHeading(QWidget* parent = nullptr);

    /// The `number`th of `count` sessions in scope, by tokens.
    void setSession(const QString& title, const QString& about, int number, int count);
    void clear();

    [[nodiscard]] SessionName* name() const { return name_; }

    [[nodiscard]] QToolButton* previous() const { return previous_; }

    [[nodiscard]] QToolButton* next() const { return next_; }

signals:
    void previousRequested();
    void nextRequested();
    void choiceRequested();

private:
    QToolButton* previous_;
    QToolButton* next_;
    SessionName* name_;
};

} // namespace loadline::ui
