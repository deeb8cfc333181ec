// The orders of the Sessions list: permutations of the tree's nodes.
#include "core/workload/scope/session_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace loadline {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::string folded(std::string text) {
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return text;
}

bool isText(SessionColumn column) {
    return column == SessionColumn::Name || column == SessionColumn::Model;
}

std::string textKey(const SessionTree& tree, const SessionNode& node, SessionColumn column) {
    if (column == SessionColumn::Name) {
        return folded(node.name);
    }
    return node.models.empty() ? std::string() : folded(tree.corpus->models[node.models.front()]);
}

/// NaN where the value is not known.
double numberKey(const SessionNode& node, SessionColumn column) {
    const Usage& usage = node.totals.usage;
    switch (column) {
    case SessionColumn::AllTokens:
        return static_cast<double>(node.tokens());
    case SessionColumn::Cost:
        return node.totals.callsUnpriced < node.totals.calls ? node.totals.costUsd : unknown;
    case SessionColumn::Start:
        return isKnown(node.firstTime) ? static_cast<double>(node.firstTime.ms) : unknown;
    case SessionColumn::Duration:
        return node.hasDuration() ? static_cast<double>(node.lastTime.ms - node.firstTime.ms) : unknown;
    case SessionColumn::Turns:
        return static_cast<double>(node.turns);
    case SessionColumn::Calls:
        return static_cast<double>(node.totals.calls);
    case SessionColumn::Input:
        return static_cast<double>(usage.input);
    case SessionColumn::CacheWrite:
        return static_cast<double>(usage.cacheWrite);
    case SessionColumn::CacheRead:
        return static_cast<double>(usage.cacheRead);
    case SessionColumn::Output:
        return static_cast<double>(usage.output);
    case SessionColumn::HitRate:
        return node.totals.toldContext() > 0 ? node.totals.hitRate() : unknown;
    case SessionColumn::Name:
    case SessionColumn::Model:
        break;
    }
    return unknown;
}

/// `lastIf(x)`: x has no value and comes last in both directions.
template <typename Key, typename LastIf>
void sortByKeys(std::vector<std::uint32_t>& order, const SessionTree& tree, const std::vector<Key>& keys,
                bool descending, LastIf lastIf) {
    const auto isBefore = [&](std::uint32_t a, std::uint32_t b) {
        const bool lastA = lastIf(keys[a]);
        const bool lastB = lastIf(keys[b]);
        if (lastA || lastB) {
            return !lastA && lastB;
        }
        return descending ? keys[b] < keys[a] : keys[a] < keys[b];
    };
    const auto sortRange = [&](std::uint32_t first, std::uint32_t count) {
        const auto begin = order.begin() + first;
        std::stable_sort(begin, begin + count, isBefore);
    };
    sortRange(0, tree.projects);
    for (const SessionNode& node : tree.nodes) {
        if (node.children > 1) {
            sortRange(node.firstChild, node.children);
        }
    }
}

} // namespace

std::vector<std::uint32_t> orderOf(const SessionTree& tree, SessionColumn column, bool descending) {
    std::vector<std::uint32_t> order(tree.nodes.size());
    std::iota(order.begin(), order.end(), 0U);
    if (isText(column)) {
        std::vector<std::string> keys;
        keys.reserve(tree.nodes.size());
        for (const SessionNode& node : tree.nodes) {
            keys.push_back(textKey(tree, node, column));
        }
        sortByKeys(order, tree, keys, descending, [](const std::string& key) { return key.empty(); });
    } else {
        std::vector<double> keys;
        keys.reserve(tree.nodes.size());
        for (const SessionNode& node : tree.nodes) {
            keys.push_back(numberKey(node, column));
        }
        sortByKeys(order, tree, keys, descending, [](double key) { return key != key; });
    }
    return order;
}

} // namespace loadline
