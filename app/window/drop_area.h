// Files and folders dropped anywhere on a window.
#pragma once

#include <QObject>
#include <QStringList>

class QWidget;

namespace loadline::app {

class DropArea : public QObject {
    Q_OBJECT

public:
    /// Makes `window` accept local files and folders.
    explicit DropArea(QWidget& window);

signals:
    void activeChanged(bool active);                  ///< something that can be dropped is over the window
    void dropped(const QStringList& paths, bool add); ///< add: with Shift or Ctrl, beside what is loaded

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace loadline::app
