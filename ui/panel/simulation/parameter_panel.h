// The form of a simulation: every parameter with its unit and default; no button to run, it is always so.
#pragma once

#include "ui/panel/simulation/parameters.h"

#include <QWidget>

#include <functional>
#include <string>
#include <string_view>
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
    [[nodiscard]] QWidget* control(std::string_view key) const;
    void setMoreShown(bool shown);
    /// As wide as with everything shown, so that nothing is cut when it is.
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// A button beside the list of a parameter: what it names is edited by `action`.
    void setEditAction(std::string_view key, QAction* action);

signals:
    /// By the user. `finished`: not in the middle of a drag. `key`: of the parameter, which undo should name.
    void changed(const loadline::SimulationRequest& request, bool finished, std::string_view key);
    /// The user wants to name a file for it: "workload", "profile" or "shapes".
    void fileRequested(std::string_view key);
    void moreShown(bool shown); ///< the part below "More"

private:
    using Request = SimulationRequest;

    struct Row {
        const ParameterSpec* spec = nullptr;
        QWidget* whole = nullptr; ///< hidden together
        QWidget* control = nullptr;
        std::function<void(const Request&)> show;
        std::function<void(const QString& whyNot)> setWhyNot;
    };

    void addHeading(QBoxLayout& column, const QString& text);
    void addRows(QBoxLayout& column, FormPlace::Part part);
    void addRow(QBoxLayout& column, const ParameterSpec& spec);
    void addSlider(QBoxLayout& column, const ParameterSpec& spec, const ValueRange& range);
    void addSegments(QBoxLayout& column, const ParameterSpec& spec, const std::vector<NamedChoice>& choices,
                     std::function<int(const Request&)> get, std::function<void(Request&, int)> set);
    void addCheck(QBoxLayout& column, const ParameterSpec& spec);
    /// A list of `choices_`; with `files`, its last entry asks for a file.
    void addList(QBoxLayout& column, const ParameterSpec& spec,
                 std::vector<NamedChoice> ParameterChoices::*list, bool files);
    void fillList(QComboBox& box, const std::vector<NamedChoice>& list, const std::string& key,
                  bool files) const;
    void choose(const ParameterSpec& spec, bool finished, const std::function<void(Request&)>& change);
    void refresh();

    SimulationRequest request_;
    ParameterChoices choices_;
    std::vector<Row> rows_;
    QLabel* policyWords_ = nullptr;
    QToolButton* moreButton_ = nullptr;
    QWidget* more_ = nullptr;
};

} // namespace loadline::ui
