// The scope as chips.
#include "ui/panel/scope/filter_bar.h"

#include "ui/panel/frame/flow_layout.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/scope/date_range_popup.h"
#include "ui/panel/scope/filter_chip.h"
#include "ui/panel/scope/filter_choices.h"
#include "ui/panel/scope/scope_words.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>

namespace loadline::ui {

namespace {

/// A menu that stays open while its checkable entries are ticked, so that several can be.
class StickyMenu : public QMenu {
public:
    using QMenu::QMenu;

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

void StickyMenu::mouseReleaseEvent(QMouseEvent* event) {
    QAction* action = actionAt(event->position().toPoint());
    if (action && action->isCheckable() && action->isEnabled()) {
        action->trigger();
    } else {
        QMenu::mouseReleaseEvent(event);
    }
}

void StickyMenu::keyPressEvent(QKeyEvent* event) {
    // Space ticks and stays; Enter ticks and closes, as menus do.
    if (event->key() == Qt::Key_Space && activeAction() && activeAction()->isCheckable()) {
        activeAction()->trigger();
    } else {
        QMenu::keyPressEvent(event);
    }
}

constexpr ScopePart listParts[] = {ScopePart::Models, ScopePart::Agents, ScopePart::Projects};

QString menuTitle(ScopePart part) {
    switch (part) {
    case ScopePart::Models:
        return FilterBar::tr("&Model");
    case ScopePart::Agents:
        return FilterBar::tr("&Agent");
    default:
        return FilterBar::tr("&Project");
    }
}

} // namespace

FilterBar::FilterBar(QWidget* parent)
    : QWidget(parent), add_(new QToolButton(this)), clear_(new QToolButton(this)), menu_(new QMenu(this)) {
    setAccessibleName(tr("Filters"));
    auto* flow = new FlowLayout(this, spacing - 2);
    for (std::size_t i = 0; i < scopeParts.size(); ++i) {
        const ScopePart part = scopeParts[i];
        auto* chip = new FilterChip(this);
        chip->hide();
        chips_[i] = chip;
        flow->addWidget(chip);
        connect(chip, &FilterChip::removed, this, [this, part] { remove(part); });
        connect(chip, &FilterChip::clicked, this, [this, part] { edit(part); });
    }
    add_->setText(tr("Filter"));
    add_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    add_->setPopupMode(QToolButton::InstantPopup);
    add_->setMenu(menu_);
    setTip(add_, tr("Add a filter: model, agent, project, date, text"));
    add_->setAccessibleName(tr("Add a filter"));
    add_->setFocusPolicy(Qt::StrongFocus);
    add_->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    clear_->setText(tr("Clear all"));
    setTip(clear_, tr("Remove every filter"));
    clear_->setFocusPolicy(Qt::StrongFocus);
    clear_->hide();
    flow->addWidget(add_);
    flow->addWidget(clear_);
    connect(menu_, &QMenu::aboutToShow, this, &FilterBar::fillMenu);
    connect(clear_, &QToolButton::clicked, this, [this] {
        add_->setFocus();
        change({});
    });
    followTheme(this, [this](const Theme& theme) { add_->setIcon(icon(QStringLiteral("add"), theme)); });
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setCorpus(nullptr);
}

void FilterBar::setCorpus(std::shared_ptr<const Corpus> corpus) {
    corpus_ = std::move(corpus);
    add_->setEnabled(applies_ && corpus_ && !corpus_->sessions.empty());
    showScope();
}

void FilterBar::setApplies(bool applies) {
    if (applies_ != applies) {
        applies_ = applies;
        setCorpus(corpus_);
    }
}

void FilterBar::setScope(const Scope& scope) {
    scope_ = scope;
    showScope();
}

void FilterBar::setOutputIsABound(bool isBound) {
    if (outputIsABound_ != isBound) {
        outputIsABound_ = isBound;
        showScope();
    }
}

FilterChip* FilterBar::chip(ScopePart part) const {
    return chips_[static_cast<std::size_t>(part)];
}

void FilterBar::change(const Scope& scope) {
    if (scope == scope_) {
        return;
    }
    setScope(scope);
    emit scopeChanged(scope_);
}

void FilterBar::remove(ScopePart part) {
    // The keyboard goes on to the next chip, so that Delete, Delete, Delete clears the bar.
    if (chip(part)->hasFocus()) {
        QWidget* next = add_;
        for (const ScopePart other : scopeParts) {
            if (other == part || !isActive(scope_, other)) {
                continue;
            }
            next = chip(other);
            if (other > part) {
                break; // else the last one before it
            }
        }
        next->setFocus();
    }
    change(without(scope_, part));
}

void FilterBar::showScope() {
    bool any = false;
    for (const ScopePart part : scopeParts) {
        const bool active = applies_ && isActive(scope_, part);
        any = any || active;
        if (active) {
            const PartWords words = wordsOf(scope_, part, corpus_.get(), outputIsABound_);
            chip(part)->setContent(words.kind, words.value, words.full);
        }
        chip(part)->setVisible(active);
    }
    clear_->setVisible(any);
    updateGeometry();
}

void FilterBar::edit(ScopePart part) {
    if (!corpus_) {
        return;
    }
    const QPoint below = chip(part)->mapToGlobal(QPoint(0, chip(part)->height()));
    if (part == ScopePart::Dates) {
        return chooseDates();
    }
    if (part == ScopePart::Text) {
        return chooseText();
    }
    if (std::ranges::find(listParts, part) == std::end(listParts)) {
        return; // sessions and bins are chosen in the list and in the chart
    }
    auto* menu = new StickyMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addChoices(menu, part);
    menu->popup(below);
}

void FilterBar::fillMenu() {
    // Menus of an earlier showing go with their actions.
    for (QMenu* old : menu_->findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) {
        old->deleteLater();
    }
    menu_->clear();
    for (const ScopePart part : listParts) {
        auto* choices = new StickyMenu(menu_);
        choices->setTitle(menuTitle(part));
        addChoices(choices, part);
        menu_->addMenu(choices);
    }
    menu_->addAction(tr("&Date…"), this, &FilterBar::chooseDates);
    menu_->addAction(tr("&Text…"), this, &FilterBar::chooseText);
}

void FilterBar::addChoices(QMenu* menu, ScopePart part) {
    if (!corpus_) {
        return;
    }
    const std::vector<std::string>& chosen = choicesIn(scope_, part);
    for (const FilterChoice& choice : choicesOf(*corpus_, part)) {
        const QString name = buttonText(choice.name);
        const QString unit = part == ScopePart::Projects ? tr("sessions") : tr("calls");
        QAction* action = menu->addAction(
            QStringLiteral("%1\t%2 %3").arg(name, exactText(static_cast<std::int64_t>(choice.count)), unit));
        action->setCheckable(true);
        action->setChecked(std::ranges::find(chosen, choice.value) != chosen.end());
        setTip(action, QString::fromStdString(choice.value));
        connect(action, &QAction::toggled, this, [this, part, value = choice.value](bool on) {
            Scope scope = scope_;
            std::vector<std::string>& values = choicesIn(scope, part);
            std::erase(values, value);
            if (on) {
                values.push_back(value);
            }
            change(scope);
        });
    }
    menu->setToolTipsVisible(true);
    if (menu->isEmpty()) {
        menu->addAction(tr("There are none"))->setEnabled(false);
    }
}

void FilterBar::chooseDates() {
    if (!dates_) {
        dates_ = new DateRangePopup(this);
        connect(dates_, &DateRangePopup::rangeChosen, this, [this](auto from, auto to) {
            Scope scope = scope_;
            scope.from = from;
            scope.to = to;
            change(scope);
        });
    }
    const auto [first, last] = extentOf(*corpus_);
    dates_->setRange(first, last, scope_.from, scope_.to);
    QWidget* anchor =
        isActive(scope_, ScopePart::Dates) ? static_cast<QWidget*>(chip(ScopePart::Dates)) : add_;
    dates_->adjustSize();
    dates_->move(anchor->mapToGlobal(QPoint(0, anchor->height() + 2)));
    dates_->show();
    dates_->setFocus();
}

void FilterBar::chooseText() {
    auto* popup = new QMenu(this);
    popup->setAttribute(Qt::WA_DeleteOnClose);
    auto* field = new QLineEdit(QString::fromStdString(scope_.text), popup);
    field->setPlaceholderText(tr("Title, project, path, session id or model"));
    field->setAccessibleName(tr("Text to find in title, project, path, session id or model"));
    field->setMinimumWidth(300);
    field->setClearButtonEnabled(true);
    auto* holder = new QWidgetAction(popup);
    holder->setDefaultWidget(field);
    popup->addAction(holder);
    connect(field, &QLineEdit::textChanged, this, [this](const QString& text) {
        Scope scope = scope_;
        scope.text = text.trimmed().toStdString();
        change(scope);
    });
    connect(field, &QLineEdit::returnPressed, popup, &QMenu::close);
    QWidget* anchor = isActive(scope_, ScopePart::Text) ? static_cast<QWidget*>(chip(ScopePart::Text)) : add_;
    popup->popup(anchor->mapToGlobal(QPoint(0, anchor->height() + 2)));
    field->setFocus();
    field->selectAll();
}

} // namespace loadline::ui
