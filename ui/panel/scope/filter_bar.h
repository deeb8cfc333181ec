// The scope as chips: one for each active part, each removable, and a menu to add more.
#pragma once

#include "core/workload/scope/scope.h"

#include <QWidget>

#include <array>
#include <memory>

class QMenu;
class QToolButton;

namespace loadline::ui {

class DateRangePopup;
class FilterChip;
enum class ScopePart;

class FilterBar : public QWidget {
    Q_OBJECT

public:
    explicit FilterBar(QWidget* parent = nullptr);

    void setCorpus(std::shared_ptr<const Corpus> corpus); ///< what can be filtered by; nullptr: nothing
    void setScope(const Scope& scope);                    ///< emits nothing
    void setOutputIsABound(bool isBound); ///< of the calls in scope, some record less than they generated
    /// If false, filters are neither shown nor offered, as the page shows no sessions; the scope is kept.
    void setApplies(bool applies);

    [[nodiscard]] const Scope& scope() const { return scope_; }

    [[nodiscard]] FilterChip* chip(ScopePart part) const; ///< hidden when the part is not active

signals:
    void scopeChanged(const loadline::Scope& scope);

private:
    void change(const Scope& scope);
    void remove(ScopePart part);
    void edit(ScopePart part);
    void showScope();
    void fillMenu();
    void addChoices(QMenu* menu, ScopePart part);
    void chooseDates();
    void chooseText();

    std::shared_ptr<const Corpus> corpus_;
    Scope scope_;
    bool applies_ = true;
    bool outputIsABound_ = false;
    std::array<FilterChip*, 8> chips_{}; ///< by ScopePart
    QToolButton* add_;
    QToolButton* clear_;
    QMenu* menu_;
    DateRangePopup* dates_ = nullptr; ///< made when first asked for
};

} // namespace loadline::ui
