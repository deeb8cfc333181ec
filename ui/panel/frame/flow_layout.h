// Lays widgets out like words: in lines, as many as the width asks for.
#pragma once

#include <QLayout>
#include <QList>
#include <QWidget>

namespace loadline::ui {

class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent, int gap);
    ~FlowLayout() override;
    FlowLayout(const FlowLayout&) = delete; // owns its items
    FlowLayout& operator=(const FlowLayout&) = delete;

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override;
    [[nodiscard]] bool hasHeightForWidth() const override;
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize minimumSize() const override;
    [[nodiscard]] QSize sizeHint() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// Places the items (unless `measureOnly`) and returns the height they take.
    int arrange(const QRect& rect, bool measureOnly) const;

    QList<QLayoutItem*> items_;
    int gap_;
};

/// A row of controls that wrap; always as high as its lines are, whatever its layout has to share out.
class FlowRow : public QWidget {
public:
    explicit FlowRow(int gap, QWidget* parent = nullptr);

    void add(QWidget* widget) { flow_->addWidget(widget); }

    [[nodiscard]] bool hasHeightForWidth() const override { return false; }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    FlowLayout* flow_;
};

} // namespace loadline::ui
