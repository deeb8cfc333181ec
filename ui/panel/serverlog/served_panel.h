// The form of the Server log page: which model a server ran, on what.
#pragma once

#include <QString>
#include <QWidget>

#include <optional>
#include <string>

class QComboBox;
class QLabel;

namespace loadline::ui {

class ValueSlider;

/// What serves, as it is asked for: what is left open is taken from the log.
struct ServedSettings {
    std::string model;                   ///< CacheModel::key; "": as the log says
    std::optional<double> bitsPerWeight; ///< none: as the model's name says
    double kvBytesPerValue = 2;
    std::string device;                 ///< Hardware::key; "": as the log says
    std::optional<double> bandwidthGBs; ///< of all devices together; none: the device's
    /// 1e9 bytes of weights that a stream reads for a token, of any model; none: by the model's shapes.
    std::optional<double> gbPerToken;
    std::optional<double> kvBytesPerToken; ///< of context, on all devices; none: by the model's shapes
    bool operator==(const ServedSettings&) const = default;
};

class ServedPanel : public QWidget {
    Q_OBJECT

public:
    explicit ServedPanel(QWidget* parent = nullptr);

    void setSettings(const ServedSettings& settings); ///< emits nothing
    /// What the open ones came to ("gemma-3-12b"; "": the log does not say), and what follows from all.
    void setFound(const QString& model, const QString& device, const QString& words);

    [[nodiscard]] QComboBox* model() const { return model_; }

    [[nodiscard]] QComboBox* device() const { return device_; }

    [[nodiscard]] ValueSlider* bits() const { return bits_; }

    [[nodiscard]] ValueSlider* kvBytes() const { return kvBytes_; }

    [[nodiscard]] ValueSlider* bandwidth() const { return bandwidth_; }

    [[nodiscard]] ValueSlider* gbPerToken() const { return gbPerToken_; }

    [[nodiscard]] ValueSlider* kvBytesPerToken() const { return kvBytesPerToken_; }

signals:
    /// By the user; `what` names the step of undo. Not `finished`: in the middle of a drag.
    void changed(const loadline::ui::ServedSettings& settings, const QString& what, bool finished);

private:
    QComboBox* addList(const QString& name, const QString& help);
    template <typename Set>
    ValueSlider* addNumber(ValueSlider* slider, const QString& help, const QString& what, Set set);

    ServedSettings settings_;
    QComboBox* model_ = nullptr;
    QComboBox* device_ = nullptr;
    QLabel* words_ = nullptr;
    ValueSlider *bits_ = nullptr, *kvBytes_ = nullptr, *bandwidth_ = nullptr, *gbPerToken_ = nullptr,
                *kvBytesPerToken_ = nullptr;
};

} // namespace loadline::ui
