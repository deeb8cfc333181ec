// Which rows of the session list are open, and which session is shown elsewhere.
#include "ui/model/session_tree_model.h"
#include "ui/panel/sessions/session_panel.h"

#include <QLineEdit>
#include <QScopedValueRollback>
#include <QTreeView>

#include <algorithm>
#include <optional>
#include <utility>

namespace loadline::ui {
namespace {

constexpr std::uint64_t openedAtOnce = 60; // so many sessions fit a screen or two

bool holdsOneOf(const SessionTree& tree, const QStringList& keys) {
    return std::ranges::any_of(
        tree.nodes, [&](const SessionNode& node) { return keys.contains(QString::fromStdString(node.key)); });
}

} // namespace

QStringList SessionPanel::openRows() const {
    QStringList keys(expanded_.cbegin(), expanded_.cend());
    keys.sort();
    return keys;
}

void SessionPanel::restoreExpansion(bool newData, bool moreData) {
    const SessionTree& tree = model_->tree();
    if (newData && tree.sessions > 0) {
        const QStringList keys = std::exchange(openAtFirst_, std::nullopt).value_or(QStringList());
        openedByHand_ =
            !keys.isEmpty() && (reading_ || holdsOneOf(tree, keys)); // more may come while reading
        if (openedByHand_) {
            expanded_ = QSet<QString>(keys.cbegin(), keys.cend());
        }
    }
    const bool searching = !search_->text().trimmed().isEmpty();
    const bool openAll = tree.projects == 1 || tree.sessions <= openedAtOnce;
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
        const SessionNode& node = tree.nodes[i];
        if (node.children == 0) {
            continue;
        }
        const bool isProject = node.kind == SessionNodeKind::Project;
        if (isProject && moreData && !openedByHand_) {
            if (openAll) {
                expanded_.insert(QString::fromStdString(node.key));
            } else {
                expanded_.remove(QString::fromStdString(node.key));
            }
        }
        const bool found = searching && isProject && openAll;
        if (found || expanded_.contains(QString::fromStdString(node.key))) {
            view_->setExpanded(model_->indexOf(i), true);
        }
    }
}

void SessionPanel::setShown(const QString& key) {
    if (key == shown_) {
        return;
    }
    const QScopedValueRollback guard(updating_, true); // what the user opened stays what it was
    shown_ = key;
    model_->setShown(key);
    const SessionTree& tree = model_->tree();
    for (std::uint32_t i = tree.projects; i < tree.projects + tree.sessions && !key.isEmpty(); ++i) {
        if (tree.nodes[i].key == key.toStdString()) {
            view_->scrollTo(model_->indexOf(i)); // opens its project
        }
    }
}

} // namespace loadline::ui
