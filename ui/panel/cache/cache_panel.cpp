// The form of the Cache page.
#include "ui/panel/cache/cache_panel.h"

#include "core/cache/split/cache_model.h"
#include "core/text/counted.h"
#include "ui/form/value_slider.h"
#include "ui/model/tier_model.h"
#include "ui/panel/part/quiet_box.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>
#include <utility>

namespace loadline::ui {
namespace {

using Scale = ValueRange::Scale;

ValueRange rangeOfNumber(double least, double most, double usual, Scale scale, bool whole,
                         const QString& unit = {}) {
    ValueRange range;
    range.least = range.fieldLeast = least;
    range.most = range.fieldMost = most;
    range.usual = usual;
    range.scale = scale;
    range.whole = whole;
    range.unit = unit;
    return range;
}

/// The same tiers with other capacities.
bool isSameButForRoom(const CacheTiers& a, const CacheTiers& b) {
    return std::ranges::equal(a, b, [](const CacheTier& one, const CacheTier& other) {
        return std::tie(one.name, one.bandwidthGBs, one.latencyUs) ==
               std::tie(other.name, other.bandwidthGBs, other.latencyUs);
    });
}

QString wordOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QLabel* headingOf(const QString& text) {
    auto* label = new QLabel(text);
    label->setFont(fontOf(1, true));
    return label;
}

} // namespace

template <typename Set>
ValueSlider* CachePanel::addNumber(ValueSlider* slider, const QString& help, const QString& what, Set set) {
    slider->setHelp(help);
    connect(slider, &ValueSlider::changed, this, [this, slider, what, set](bool finished) {
        if (slider->value()) {
            set(settings_, *slider->value());
            emit changed(settings_, what, finished);
        }
    });
    layout()->addWidget(slider);
    return slider;
}

CachePanel::CachePanel(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing, spacing, spacing + spacing / 2, spacing);
    column->setSpacing(spacing / 2);
    const CacheSettings usual;
    column->addWidget(headingOf(tr("What a token takes")));
    buildModel();
    bytes_ = addNumber(
        new ValueSlider(tr("KV bytes per value"),
                        rangeOfNumber(0.25, 4, usual.bytesPerValue, Scale::Log, false)),
        tr("2 for bf16, 1 for fp8"), tr("Change the bytes of a KV value"),
        [](CacheSettings& settings, double value) { settings = withBytesPerValue(settings, value); });
    weightBytes_ = addNumber(
        new ValueSlider(tr("Bytes per weight"),
                        rangeOfNumber(0.25, 4, bytesPerWeightOf(usual), Scale::Log, false)),
        tr("2 for bf16, 1 for fp8, 0.5 for 4 bits: the weights share the memory with the blocks. "
           "Usual: as the model was published, scales included"),
        tr("Change the bytes of a weight"), [](CacheSettings& settings, double value) {
            const double published = publishedWeightsOf(modelOf(settings)).bytesEach;
            settings = withBytesPerWeight(settings, value == published ? std::nullopt : std::optional(value));
        });
    parallel_ = addNumber(
        new ValueSlider(tr("Tensor parallelism"),
                        rangeOfNumber(1, 8, tensorParallelOf(usual), Scale::Log, true, tr("GPUs"))),
        tr("GPUs that compute a prompt together: a replica, with all weights and its share of the node. With "
           "more of them than KV heads each still keeps one head; a latent (MLA) is kept by every one. "
           "Usual: "
           "the fewest, a power of two, that have room for %1 tokens, or for the longest turn, beside the "
           "weights")
            .arg(countText(usualRoomTokens)),
        tr("Change the tensor parallelism"), [](CacheSettings& settings, double value) {
            const auto gpus = static_cast<int>(value);
            const int usualHere = usualTensorParallelOf(settings);
            settings = withTensorParallel(settings, gpus == usualHere ? std::nullopt : std::optional(gpus));
        });
    column->addSpacing(spacing / 2);
    column->addWidget(headingOf(tr("Where it is kept, and for how long")));
    buildTiers();
    ttl_ = addNumber(
        new ValueSlider(tr("Time to live"), rangeOfNumber(1, 604'800, usual.ttlS, Scale::Log, true, tr("s"))),
        tr("A block is forgotten that nobody held for so long; providers sell 5 min and 1 h"),
        tr("Change the time to live"), [](CacheSettings& settings, double value) { settings.ttlS = value; });
    column->addSpacing(spacing / 2);
    column->addWidget(headingOf(tr("What it frees")));
    gpus_ = addNumber(
        new ValueSlider(tr("Fleet"), rangeOfNumber(1, 1024, usual.fleet.gpus, Scale::Log, true, tr("GPUs"))),
        tr("GPUs that compute prompts, and GPUs that answer, without reuse"), tr("Change the fleet"),
        [](CacheSettings& settings, double value) { settings.fleet.gpus = value; });
    prefill_ = addNumber(new ValueSlider(tr("Prefill share"),
                                         rangeOfNumber(0, 1, usual.fleet.prefillShare, Scale::Linear, false)),
                         tr("Of the GPUs' time without reuse; the published study assumes half"),
                         tr("Change the prefill share"),
                         [](CacheSettings& settings, double value) { settings.fleet.prefillShare = value; });
    buildHitRate();
    buildRequests();
    column->addStretch(1);
}

void CachePanel::buildHitRate() {
    ValueRange range = rangeOfNumber(0, 1, 0, Scale::Linear, false);
    range.usual = std::nullopt;
    range.off = tr("counted");
    hitRate_ = new ValueSlider(tr("Hit rate"), range);
    hitRate_->setHelp(tr("Of prompt tokens, for prefill and decode alone: 0.94 and 0.921 are the published "
                         "study's. Counted: within the time to live and the tiers"));
    connect(hitRate_, &ValueSlider::changed, this, [this](bool finished) {
        settings_.fleet.hitRate = hitRate_->value();
        emit changed(settings_, tr("Change the hit rate"), finished);
    });
    layout()->addWidget(hitRate_);
}

/// No wider than the panel, whatever stands in it.
QComboBox* CachePanel::addList(const QString& name, const QString& help) {
    auto* list = new QuietBox(this);
    list->setAccessibleName(name);
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list->setMinimumContentsLength(12);
    setTip(list, help);
    layout()->addWidget(list);
    return list;
}

void CachePanel::buildModel() {
    model_ = addList(tr("Model"),
                     tr("What gigabytes stand for: the model that a provider serves tells nobody its own"));
    for (const CacheModel& model : cacheModels()) {
        model_->addItem(wordOf(model.key), wordOf(model.key));
        QString tip =
            tr("%1 of KV cache a token at 2 bytes a value (%2)")
                .arg(bytesText(static_cast<std::uint64_t>(kvBytesPerToken(model))), wordOf(model.source));
        if (model.experts > 0) {
            tip += tr("; each token meets %1 of a layer's %2 experts (%3)")
                       .arg(model.expertsPerToken)
                       .arg(model.experts)
                       .arg(wordOf(model.expertsSource));
        }
        setItemTip(model_, model_->count() - 1, tip);
    }
    connect(model_, &QComboBox::activated, this, [this](int row) {
        settings_ = withModel(settings_, model_->itemData(row).toString().toStdString());
        emit changed(settings_, tr("Change the model"), true);
    });
}

void CachePanel::buildTiers() {
    node_ = addList(tr("Node"), tr("Tiers of a machine, whose memory holds the model's weights as well"));
    node_->addItem(tr("edited tiers"));
    for (const CacheNode& node : cacheNodes()) {
        node_->addItem(wordOf(node.name), wordOf(node.key));
    }
    tiers_ = new TierModel(this);
    tierTable_ = new QTableView(this);
    tierTable_->setModel(tiers_);
    tierTable_->setAccessibleName(tr("Tiers"));
    tierTable_->setShowGrid(false);
    tierTable_->setWordWrap(false);
    tierTable_->setTabKeyNavigation(false);
    tierTable_->setSelectionMode(QAbstractItemView::SingleSelection);
    tierTable_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tierTable_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tierTable_->verticalHeader()->hide();
    tierTable_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + spacing / 2);
    tierTable_->horizontalHeader()->setHighlightSections(false);
    tierTable_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    tierTable_->horizontalHeader()->setSectionResizeMode(TierModel::NameColumn, QHeaderView::Stretch);
    connect(tiers_, &QAbstractItemModel::modelReset, this, &CachePanel::sizeTiers);
    tierWords_ = mutedLabel({}, this);
    tierWords_->setWordWrap(true);
    tierWords_->setFont(fontOf(0.9));
    layout()->addWidget(tierTable_);
    layout()->addWidget(tierWords_);
    connect(node_, &QComboBox::activated, this, [this](int row) {
        if (row > 0) {
            setSettings(withNode(settings_, *findCacheNode(node_->itemData(row).toString().toStdString())));
            emit changed(settings_, tr("Choose a node"), true);
        }
    });
    connect(tiers_, &TierModel::edited, this, [this](const CacheTiers& tiers) {
        CacheSettings next = settings_;
        next.tiers = tiers;
        setSettings(next);
        emit changed(settings_, tr("Edit the tiers"), true);
    });
    connect(tiers_, &TierModel::refused, this,
            [this](const QString& why) { tierWords_->setText(lineText(why)); });
}

/// As high as its rows.
void CachePanel::sizeTiers() {
    const int rows = tiers_->rowCount() * tierTable_->verticalHeader()->defaultSectionSize();
    tierTable_->setFixedHeight(tierTable_->horizontalHeader()->sizeHint().height() + rows +
                               2 * tierTable_->frameWidth());
}

void CachePanel::buildRequests() {
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->addSpacing(spacing / 2);
    column->addWidget(headingOf(tr("What counts")));
    subAgents_ = new QCheckBox(tr("Sub-agents' requests too"), this);
    setTip(subAgents_,
           tr("Each sub-agent is dealt to a replica as a session is. Off: all figures are of main "
              "agents alone"));
    column->addWidget(subAgents_);
    count_ = addList(tr("Hits of an engine's cache"), tr("How an engine's cache is counted"));
    for (const auto& [count, name, help] :
         {std::tuple(LruCount::Contiguous, tr("tokens of leading runs"),
                     tr("Of the leading run of a prompt's blocks that is there")),
          std::tuple(LruCount::Fwd, tr("blocks, front to back"),
                     tr("Each block that is there when it is touched, from the first on")),
          std::tuple(LruCount::Rev, tr("blocks, back to front"),
                     tr("The same from the last on, as vLLM frees them"))}) {
        count_->addItem(name, static_cast<int>(count));
        setItemTip(count_, count_->count() - 1, help);
    }
    connect(count_, &QComboBox::activated, this, [this](int row) {
        settings_.count = static_cast<LruCount>(count_->itemData(row).toInt());
        emit changed(settings_, tr("Change what hits"), true);
    });
    column->addSpacing(spacing / 2);
    requestsLabel_ = headingOf(tr("Whose requests are shown"));
    column->addWidget(requestsLabel_);
    requestsOf_ = addList(tr("Requests of"), tr("The session or conversation whose requests are shown"));
    requestsLabel_->setBuddy(requestsOf_);
}

void CachePanel::setRequestsShown(bool shown) {
    requestsLabel_->setVisible(shown);
    requestsOf_->setVisible(shown);
}

void CachePanel::setSettings(const CacheSettings& settings) {
    settings_ = settings;
    bytes_->setValue(settings.bytesPerValue);
    weightBytes_->setValue(bytesPerWeightOf(settings));
    const Replicas replicas = replicasOf(settings);
    parallel_->setValue(replicas.tensorParallel);
    parallel_->setEnabled(replicas.gpus > 1);
    ttl_->setValue(settings.ttlS);
    gpus_->setValue(settings.fleet.gpus);
    prefill_->setValue(settings.fleet.prefillShare);
    hitRate_->setValue(settings.fleet.hitRate);
    model_->setCurrentIndex(model_->findData(wordOf(settings.model)));
    count_->setCurrentIndex(count_->findData(static_cast<int>(settings.count)));
    int node = 0;
    QString edited = tr("edited tiers");
    for (int i = 1; i < node_->count(); ++i) {
        const CacheNode& one = *findCacheNode(node_->itemData(i).toString().toStdString());
        node = nodeBeside(settings) == &one ? i : node;
        edited =
            isSameButForRoom(one.tiers, settings.tiers) ? tr("%1, edited").arg(node_->itemText(i)) : edited;
    }
    node_->setItemText(0, edited);
    node_->setCurrentIndex(node);
    tiers_->setTiers(settings.tiers);
    QStringList words;
    if (node > 0) {
        const double weights = weightsGB(modelOf(settings), bytesPerWeightOf(settings));
        const std::string published =
            settings.bytesPerWeight ? std::string() : wordsOf(publishedWeightsOf(modelOf(settings)));
        words << tr("beside %1 of weights%2 in each of %3")
                     .arg(bytesText(static_cast<std::uint64_t>(weights * 1e9)),
                          published.empty() ? QString()
                                            : QStringLiteral(" (%1)").arg(QString::fromStdString(published)),
                          QString::fromStdString(
                              counted(static_cast<std::uint64_t>(replicas.count()), "replica")));
    }
    tierWords_->setText(lineText(words.join(QStringLiteral(", "))));
}

} // namespace loadline::ui
