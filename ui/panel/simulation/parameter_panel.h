// The form of a simulation: every parameter with its unit and default; no button to run, it is always so.
#pragma once

#include "ui/panel/simulation/parameters.h"

#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QBoxLayout;
class QComboBox;
class QLabel;
class QToolButton;

namespace loadline::ui {

class Segments;
class ValueSlider;
struct ValueRange;

class ParameterPanel : public QWidget {
    Q_OBJECT

public:
    explicit ParameterPanel(QWidget* parent = nullptr);

    void setRequest(const SimulationRequest& request); ///< emits nothing
    void setChoices(const ParameterChoices& choices);

    [[nodiscard]] const SimulationRequest& request() const { return request_; }

    /// The control of a parameter: a ValueSlider, Segments, QComboBox or QCheckBox.
    [[nodiscard]] QWidget* control(Parameter parameter) const;
    void setMoreShown(bool shown);
    /// As wide as with everything shown, so that nothing is cut when it is.
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// A button beside the list of a parameter: what it names is edited by `action`.
    void setEditAction(Parameter parameter, QAction* action);

signals:
    /// By the user. `finished`: not in the middle of a drag. `parameter`: what undo should name.
    void changed(const loadline::SimulationRequest& request, bool finished,
                 loadline::ui::Parameter parameter);
    /// The user wants to name a file for it: Workload, Profile or Shapes.
    void fileRequested(loadline::ui::Parameter parameter);

private:
    using Request = SimulationRequest;

    struct Row {
        Parameter parameter{};
        QWidget* whole = nullptr; ///< hidden together
        QWidget* control = nullptr;
        std::function<void(const Request&)> show;
        std::function<void(const QString& whyNot)> setWhyNot;
    };

    void buildAsking(QBoxLayout& column);
    void buildBatching(QBoxLayout& column);
    void buildCost(QBoxLayout& column);
    void buildMore(QBoxLayout& column);
    void addHeading(QBoxLayout& column, const QString& text);
    void addSlider(QBoxLayout& column, Parameter parameter, const QString& name, const ValueRange& range,
                   const QString& help, std::function<std::optional<double>(const Request&)> get,
                   std::function<void(Request&, std::optional<double>)> set);
    void addSegments(QBoxLayout& column, Parameter parameter, const QString& name,
                     const std::vector<NamedChoice>& choices, std::function<int(const Request&)> get,
                     std::function<void(Request&, int)> set);
    void addCheck(QBoxLayout& column, Parameter parameter, const QString& name, const QString& help,
                  std::function<bool(const Request&)> get, std::function<void(Request&, bool)> set);
    /// A list of `choices_`; with `files`, its last entry asks for a file.
    void addList(QBoxLayout& column, Parameter parameter, const QString& name,
                 std::vector<NamedChoice> ParameterChoices::*list, std::string Request::*key, bool files);
    void fillList(QComboBox& box, const std::vector<NamedChoice>& list, const std::string& key,
                  bool files) const;
    void choose(Parameter parameter, bool finished, const std::function<void(Request&)>& change);
    void refresh();

    SimulationRequest request_;
    ParameterChoices choices_;
    std::vector<Row> rows_;
    QLabel* policyWords_ = nullptr;
    QToolButton* moreButton_ = nullptr;
    QWidget* more_ = nullptr;
};

} // namespace loadline::ui
