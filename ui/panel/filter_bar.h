// The scope as chips: one for each active part, each removable, and a menu to add more.
#pragma once

#include "core/workload/scope.h"

#include <QWidget>

#include <memory>

namespace loadline::ui {

class FilterBar : public QWidget {
    Q_OBJECT

public:
    explicit FilterBar(QWidget* parent = nullptr);

    void setCorpus(std::shared_ptr<const Corpus> corpus); ///< what can be filtered by; nullptr: nothing
    void setScope(const Scope& scope);                    ///< emits nothing
    [[nodiscard]] const Scope& scope() const;

signals:
    void scopeChanged(const loadline::Scope& scope);
};

} // namespace loadline::ui
