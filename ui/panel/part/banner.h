// A calm line across the window: what went wrong, where, and what to try; with the button that mends it.
#pragma once

#include <QFrame>
#include <QString>

class QLabel;
class QPushButton;

namespace loadline::ui {

/// Hidden until something is shown; stays until it is closed or replaced, never blocks.
class Banner : public QFrame {
    Q_OBJECT

public:
    explicit Banner(QWidget* parent = nullptr);

    /// `button` is empty when there is nothing to press.
    void show(const QString& sentence, const QString& button = {});
    [[nodiscard]] QString text() const;

signals:
    void actionRequested();

private:
    QLabel* text_ = nullptr;
    QPushButton* button_ = nullptr;
};

} // namespace loadline::ui
