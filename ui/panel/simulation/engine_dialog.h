// A vLLM command: a pasted command line or config moves the sliders; the present setting as a command line.
#pragma once

#include "core/simulate/request/engine_options.h"
#include "core/simulate/request/simulation_request.h"
#include "core/text/table.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace loadline::ui {

class TableModel;

/// Stays open beside the window. What is pasted is followed at once; what is not understood is listed.
class EngineDialog : public QDialog {
    Q_OBJECT

public:
    explicit EngineDialog(const SimulationRequest& request, QWidget* parent = nullptr);

    /// The present choices, also those that were made elsewhere; emits nothing.
    void setRequest(const SimulationRequest& request);

    /// Whether the workload can be replayed: decides what a prefix cache does.
    void setKnowsSessions(bool knows) { knowsSessions_ = knows; }

    [[nodiscard]] QPlainTextEdit* text() const { return text_; }

    [[nodiscard]] TableModel* options() const { return options_; }

    [[nodiscard]] QLabel* answer() const { return answer_; }

    [[nodiscard]] QLineEdit* command() const { return command_; }

    [[nodiscard]] QPushButton* copyButton() const { return copy_; }

signals:
    /// The text was understood: what the sliders should hold.
    void followed(const loadline::SimulationRequest& request);
    void copied();

private:
    void build();
    void follow();
    void showCommand();
    void say(const QString& words, bool wrong);

    SimulationRequest base_;    ///< what the text does not mention stays as here
    SimulationRequest current_; ///< as the window shows it
    std::string model_ = "MODEL";
    bool wrong_ = false;
    bool knowsSessions_ = false;
    QPlainTextEdit* text_ = nullptr;
    QLabel* answer_ = nullptr;
    QTableView* view_ = nullptr;
    TableModel* options_ = nullptr;
    QLineEdit* command_ = nullptr;
    QPushButton* copy_ = nullptr;
};

/// The request with what the options say: policy, and shapes where the model's are known.
SimulationRequest withOptions(SimulationRequest request, const EngineOptions& options);
/// Returns a row for each option: whether it was followed, and its meaning or why it was not.
Table tableOf(const EngineOptions& options);

} // namespace loadline::ui
