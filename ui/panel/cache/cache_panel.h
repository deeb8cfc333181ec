// The form of the Cache page: the model that bytes stand for, tiers, time to live, fleet.
#pragma once

#include "core/cache/figure/cache_settings.h"

#include <QString>
#include <QWidget>

#include <string>

class QComboBox;
class QLabel;

namespace loadline::ui {

class ElidedEdit;
class ValueSlider;

class CachePanel : public QWidget {
    Q_OBJECT

public:
    explicit CachePanel(QWidget* parent = nullptr);

    void setSettings(const CacheSettings& settings); ///< emits nothing

    [[nodiscard]] ValueSlider* ttl() const { return ttl_; }

    [[nodiscard]] QComboBox* model() const { return model_; }

    [[nodiscard]] ElidedEdit* tiers() const { return tiers_; }

    /// Whose requests are shown one by one: the page fills it.
    [[nodiscard]] QComboBox* requestsOf() const { return requestsOf_; }

    /// Where there is only one there is nothing to choose.
    void setRequestsShown(bool shown);

signals:
    /// By the user; `what` names the step of undo. Not `finished`: in the middle of a drag.
    void changed(const loadline::CacheSettings& settings, const QString& what, bool finished);

private:
    void buildModel();
    void buildTiers();
    void buildRequests();
    QComboBox* addList(const QString& name, const QString& help);
    void takeTiers(const std::string& text, const QString& what);
    template <typename Set>
    ValueSlider* addNumber(ValueSlider* slider, const QString& help, const QString& what, Set set);

    CacheSettings settings_;
    QComboBox* model_ = nullptr;
    QComboBox* node_ = nullptr;
    QComboBox* count_ = nullptr;
    QComboBox* requestsOf_ = nullptr;
    QLabel* requestsLabel_ = nullptr;
    ElidedEdit* tiers_ = nullptr;
    QLabel* tierWords_ = nullptr;
    ValueSlider *ttl_ = nullptr, *bytes_ = nullptr, *parallel_ = nullptr, *gpus_ = nullptr,
                *prefill_ = nullptr;
};

} // namespace loadline::ui
