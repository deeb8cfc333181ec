// Under the strip of the Batch view: scrubbing by slider, buttons and number, and who was in the step.
#pragma once

#include "core/simulate/answer/batch.h"

#include <QWidget>

#include <memory>

class QSlider;
class QSplitter;
class QSpinBox;
class QTableView;
class QToolButton;

namespace loadline::ui {

class TableModel;

class StepPanel : public QWidget {
    Q_OBJECT

public:
    explicit StepPanel(QWidget* parent = nullptr);

    void setRecording(std::shared_ptr<const BatchRecording> recording); ///< null: nothing
    void setStep(std::int64_t step);                                    ///< emits nothing

    [[nodiscard]] std::int64_t step() const { return step_; }

    /// Goes there, held within the recording; emits stepChanged.
    void moveTo(std::int64_t step);

    [[nodiscard]] QSlider* slider() const { return slider_; }

    [[nodiscard]] TableModel* requests() const { return requests_; }

    [[nodiscard]] TableModel* kernels() const { return kernels_; }

    [[nodiscard]] QToolButton* nextPreemption() const { return nextPreemption_; }

    /// To the table that is not shown; hidden where both have room side by side.
    [[nodiscard]] QToolButton* otherTable() const { return otherTable_; }

signals:
    void stepChanged(std::int64_t step);
    void tableRequested(); ///< the step's requests as CSV

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fill();
    void fit();
    void share();
    void showTables();
    [[nodiscard]] std::int64_t preemptionAfter(std::int64_t step) const;

    std::shared_ptr<const BatchRecording> recording_;
    std::int64_t step_ = 0;
    bool isNew_ = true;         ///< the recording: columns have no widths yet
    bool byHand_ = false;       ///< the user has shared the room
    bool narrow_ = false;       ///< there is room for one table
    bool showsKernels_ = false; ///< which then
    QSlider* slider_ = nullptr;
    QSpinBox* number_ = nullptr;
    QToolButton* nextPreemption_ = nullptr;
    QToolButton* otherTable_ = nullptr;
    QSplitter* tables_ = nullptr;
    QTableView* requestsView_ = nullptr;
    QTableView* kernelsView_ = nullptr;
    TableModel* requests_ = nullptr;
    TableModel* kernels_ = nullptr;
};

/// Who was in the step, for people: user, what, tokens, how far, why it waits, what happened.
Table requestsTable(const BatchRecording& recording, const BatchStep& step);
/// Which kernel each shape took.
Table kernelsTable(const BatchRecording& recording, const BatchStep& step);

} // namespace loadline::ui
