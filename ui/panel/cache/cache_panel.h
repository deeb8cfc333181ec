// The form of the Cache page: the model that bytes stand for, tiers, time to live, fleet.
#pragma once

#include "core/cache/figure/cache_settings.h"

#include <QString>
#include <QWidget>

#include <string>

class QCheckBox;
class QComboBox;
class QLabel;
class QTableView;

namespace loadline::ui {

class TierModel;
class ValueSlider;

class CachePanel : public QWidget {
    Q_OBJECT

public:
    explicit CachePanel(QWidget* parent = nullptr);

    void setSettings(const CacheSettings& settings); ///< emits nothing

    [[nodiscard]] ValueSlider* ttl() const { return ttl_; }

    [[nodiscard]] QComboBox* model() const { return model_; }

    [[nodiscard]] TierModel* tiers() const { return tiers_; }

    /// The hit rate of the split: no value where it is the counted one.
    [[nodiscard]] ValueSlider* hitRate() const { return hitRate_; }

    [[nodiscard]] ValueSlider* weightBytes() const { return weightBytes_; }

    /// Whose requests are shown one by one: the page fills it.
    [[nodiscard]] QComboBox* requestsOf() const { return requestsOf_; }

    /// Checked if sub-agents' requests count too: the page sets it and follows clicks.
    [[nodiscard]] QCheckBox* subAgents() const { return subAgents_; }

    /// Where there is only one there is nothing to choose.
    void setRequestsShown(bool shown);

signals:
    /// By the user; `what` names the step of undo. Not `finished`: in the middle of a drag.
    void changed(const loadline::CacheSettings& settings, const QString& what, bool finished);

private:
    void buildModel();
    void buildTiers();
    void buildHitRate();
    void buildRequests();
    QComboBox* addList(const QString& name, const QString& help);
    void sizeTiers();
    template <typename Set>
    ValueSlider* addNumber(ValueSlider* slider, const QString& help, const QString& what, Set set);

    CacheSettings settings_;
    QComboBox* model_ = nullptr;
    QComboBox* node_ = nullptr;
    QComboBox* count_ = nullptr;
    QComboBox* requestsOf_ = nullptr;
    QCheckBox* subAgents_ = nullptr;
    QLabel* requestsLabel_ = nullptr;
    TierModel* tiers_ = nullptr;
    QTableView* tierTable_ = nullptr;
    QLabel* tierWords_ = nullptr;
    ValueSlider *ttl_ = nullptr, *bytes_ = nullptr, *weightBytes_ = nullptr, *parallel_ = nullptr,
                *gpus_ = nullptr, *prefill_ = nullptr, *hitRate_ = nullptr;
};

} // namespace loadline::ui
