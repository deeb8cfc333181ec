// A list of machines, the table of tiers below it, and what the weights leave them in words.
#include "ui/panel/cache/tier_editor.h"

#include "core/cache/study/cache_question.h"
#include "core/text/counted.h"
#include "ui/model/tier_model.h"
#include "ui/panel/part/quiet_box.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>

#include <algorithm>
#include <tuple>

namespace loadline::ui {
namespace {

/// The same tiers with other capacities.
bool isSameButForRoom(const CacheTiers& a, const CacheTiers& b) {
    return std::ranges::equal(a, b, [](const CacheTier& one, const CacheTier& other) {
        return std::tie(one.name, one.bandwidthGBs, one.latencyUs) ==
               std::tie(other.name, other.bandwidthGBs, other.latencyUs);
    });
}

/// A table that is as high as its rows.
class TierTable : public QTableView {
public:
    explicit TierTable(TierModel& tiers) {
        setModel(&tiers);
        setAccessibleName(QObject::tr("Tiers"));
        setShowGrid(false);
        setWordWrap(false);
        setTabKeyNavigation(false);
        setSelectionMode(QAbstractItemView::SingleSelection);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        verticalHeader()->hide();
        verticalHeader()->setDefaultSectionSize(fontMetrics().height() + spacing / 2);
        horizontalHeader()->setHighlightSections(false);
        horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
        horizontalHeader()->setSectionResizeMode(TierModel::NameColumn, QHeaderView::Stretch);
        connect(&tiers, &QAbstractItemModel::modelReset, this, [this, &tiers] {
            setFixedHeight(horizontalHeader()->sizeHint().height() +
                           tiers.rowCount() * verticalHeader()->defaultSectionSize() + 2 * frameWidth());
        });
    }
};

/// "beside 141 GB of weights in each of 2 replicas"; "" of tiers that were edited.
QString wordsOfWeights(const CacheSettings& settings) {
    if (nodeBeside(settings) == nullptr) {
        return {};
    }
    const double weights = weightsGB(modelOf(settings), bytesPerWeightOf(settings));
    const std::string published =
        settings.bytesPerWeight ? std::string() : wordsOf(publishedWeightsOf(modelOf(settings)));
    return QObject::tr("beside %1 of weights%2 in each of %3")
        .arg(bytesText(static_cast<std::uint64_t>(weights * 1e9)),
             published.empty() ? QString() : QStringLiteral(" (%1)").arg(QString::fromStdString(published)),
             QString::fromStdString(
                 counted(static_cast<std::uint64_t>(replicasOf(settings).count()), "replica")));
}

/// Row 0 is of edited tiers.
void showNode(QComboBox& node, const CacheSettings& settings) {
    QString edited = QObject::tr("edited tiers");
    for (const CacheNode& one : cacheNodes()) {
        edited = isSameButForRoom(one.tiers, settings.tiers)
                     ? QObject::tr("%1, edited").arg(fromUtf8(one.name))
                     : edited;
    }
    node.setItemText(0, edited);
    const CacheNode* beside = nodeBeside(settings);
    node.setCurrentIndex(beside == nullptr ? 0 : node.findData(fromUtf8(beside->key)));
}

} // namespace

FieldRow tierRowOf(const ask::Field& field, const FormHand& hand) {
    auto* whole = new QWidget;
    auto* node = new QuietBox;
    node->setAccessibleName(QObject::tr("Node"));
    node->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    node->setMinimumContentsLength(12);
    setTip(node, QObject::tr("Tiers of a machine, whose memory holds the model's weights as well"));
    node->addItem(QString());
    for (const CacheNode& one : cacheNodes()) {
        node->addItem(fromUtf8(one.name), fromUtf8(one.key));
    }
    auto* tiers = new TierModel(whole);
    auto* words = mutedLabel({}, whole);
    words->setWordWrap(true);
    words->setFont(fontOf(0.9));
    columnOf({node, new TierTable(*tiers), words}, spacing / 2, whole);
    const auto shown = std::make_shared<CacheSettings>();
    const auto take = [=, &field](const CacheSettings& next) {
        hand.change(field, true, [&](void* question) {
            auto& asked = *static_cast<CacheQuestion*>(question);
            asked = withSettings(asked, next);
            return true;
        });
    };
    QObject::connect(node, &QComboBox::activated, node, [=](int row) {
        if (row > 0) {
            take(withNode(*shown, *findCacheNode(node->itemData(row).toString().toStdString())));
        }
    });
    QObject::connect(tiers, &TierModel::edited, node, [=](const CacheTiers& edited) {
        CacheSettings next = *shown;
        next.tiers = edited;
        take(next);
    });
    QObject::connect(tiers, &TierModel::refused, words,
                     [=](const QString& why) { words->setText(lineText(why)); });
    return {&field, whole, node,
            [=](const FormState& state) {
                *shown = settingsOf(state.question.as<CacheQuestion>(), state.sources);
                showNode(*node, *shown);
                tiers->setTiers(shown->tiers);
                words->setText(lineText(wordsOfWeights(*shown)));
            },
            [=](const QString& why) { whole->setEnabled(why.isEmpty()); }};
}

std::vector<NamedChoice> cacheModelEntries() {
    std::vector<NamedChoice> entries;
    for (const CacheModel& model : cacheModels()) {
        QString tip =
            QObject::tr("%1 of KV cache a token at 2 bytes a value (%2)")
                .arg(bytesText(static_cast<std::uint64_t>(kvBytesPerToken(model))), fromUtf8(model.source));
        if (model.experts > 0) {
            tip += QObject::tr("; each token meets %1 of a layer's %2 experts (%3)")
                       .arg(model.expertsPerToken)
                       .arg(model.experts)
                       .arg(fromUtf8(model.expertsSource));
        }
        entries.push_back({std::string(model.key), fromUtf8(model.key), tip, {}});
    }
    return entries;
}

} // namespace loadline::ui
