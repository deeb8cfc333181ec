// The pages' tool bar: words under icons, or icons alone where the window is low.
#pragma once

#include <QToolBar>

namespace loadline::ui {

/// What does not even fit as icons waits behind the tool bar's own button at its end.
class Rail : public QToolBar {
    Q_OBJECT

public:
    Rail(const QString& title, QWidget* parent);

protected:
    void actionEvent(QActionEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; ///< Enter shows a page, as Space does

private:
    void setFolded(bool folded);

    int wordsHeight_ = 0; ///< that it takes with words
};

} // namespace loadline::ui
