// A panel at the right of what it belongs to, with a handle that folds it away.
#pragma once

#include <QList>
#include <QWidget>

class QToolButton;

namespace loadline::ui {

/// Folds by itself where its parent is too narrow for both, until the user's hand decides.
class SideFold : public QWidget {
    Q_OBJECT

public:
    /// `name` of the panel: "parameters".
    SideFold(QWidget* side, QString name, QWidget* parent);

    void setFolded(bool folded);
    [[nodiscard]] bool isFolded() const;
    /// The user's choice, to be kept for the next start: {1, 1} folded, {0, 1} not folded; empty: no choice
    /// yet.
    [[nodiscard]] QList<int> chosen() const;
    void setChosen(const QList<int>& chosen);

    [[nodiscard]] QToolButton* handle() const { return handle_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(int width);

    QWidget* side_;
    QString name_;
    QToolButton* handle_;
    bool byHand_ = false;
};

} // namespace loadline::ui
