// The pages' tool bar: words under icons, or icons alone where the window is low.
#pragma once

#include <QToolBar>

namespace loadline::ui {

/// A tool bar of the pages. Actions without room even as icons move to the menu of its extension button.
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
