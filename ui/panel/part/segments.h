// A few alternatives side by side, of which one is chosen.
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QButtonGroup;

namespace loadline::ui {

class Segments : public QWidget {
    Q_OBJECT

public:
    struct Choice {
        QString text;
        QString toolTip;
    };

    /// `name` is read to those who cannot see it ("Method").
    Segments(const QString& name, const std::vector<Choice>& choices, QWidget* parent = nullptr);

    void setCurrent(int index); ///< below 0: none; emits nothing
    [[nodiscard]] int current() const;
    /// Why nothing can be chosen, in place of each choice's words; empty: each has its own.
    void setWhyNot(const QString& why);

signals:
    void chosen(int index); ///< by the user

private:
    QButtonGroup* group_ = nullptr;
    std::vector<Choice> choices_;
};

} // namespace loadline::ui
