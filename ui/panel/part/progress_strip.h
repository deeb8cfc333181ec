// How far something that takes a while is, with a button that gives it up and one that takes it up again.
#pragma once

#include <QWidget>

class QProgressBar;
class QToolButton;

namespace loadline::ui {

/// Takes no room while there is nothing to say.
class ProgressStrip : public QWidget {
    Q_OBJECT

public:
    /// `what`: "Refining", for the screen reader and the tool tips.
    explicit ProgressStrip(const QString& what, QWidget* parent = nullptr);

    void setShare(double share); ///< 0 to 1: it is under way; 0: its share is not known
    void setStopped();           ///< it was given up
    void clear();                ///< it is done, or has not begun

    [[nodiscard]] QProgressBar* bar() const { return bar_; }

    [[nodiscard]] QToolButton* button() const { return button_; }

signals:
    void stopRequested();
    void resumeRequested();

private:
    QString what_;
    QProgressBar* bar_ = nullptr;
    QToolButton* button_ = nullptr;
    bool stopped_ = false;
};

} // namespace loadline::ui
