// The dialog in which kernels of a file are named and added.
#include "ui/panel/kernels/import_dialog.h"

#include "core/cost/device/hardware.h"
#include "core/cost/import/named_device.h"
#include "ui/chart/plot_view.h"
#include "ui/model/kernel_import_model.h"
#include "ui/panel/kernels/cell_delegate.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QSignalBlocker>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace loadline::ui {
namespace {

constexpr QSize importDialogSize(100 * spacing, 76 * spacing);
constexpr int leastKernels = 2; ///< rows without scrolling
constexpr int mostKernels = 6;

QString seriesText(const TimedShape& shape, int kBits) {
    QString text = QString::fromStdString(textOf(shape)).replace('x', QStringLiteral(" x "));
    return kBits == fp16Bits ? text : ImportDialog::tr("%1, k = %2").arg(text).arg(kBits);
}

} // namespace

ImportDialog::ImportDialog(KernelImport offer, const QString& file, QStringList profiles,
                           std::optional<int> shown, const TimedShape& shownShape, QWidget* parent)
    : QDialog(parent), model_(new KernelImportModel(std::move(offer), this)), table_(new QTableView),
      series_(new QComboBox), plot_(new PlotView), devices_(new QComboBox), into_(new QComboBox),
      name_(new QLineEdit), use_(new QCheckBox(tr("&Use it for the simulation"))), words_(new QLabel),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)),
      profiles_(std::move(profiles)), shownShape_(shownShape) {
    setWindowTitle(tr("Import kernels"));
    build(file, shown);
    connectAll();
    table_->setCurrentIndex(model_->index(0, KernelImportModel::NameColumn));
    showSeries();
    proposeName();
    followTheme(this, [this](const Theme& theme) {
        plot_->setTheme(theme.kind);
        showWords();
    });
}

void ImportDialog::build(const QString& file, std::optional<int> shown) {
    auto* from = new QLabel(lineText(tr("From %1").arg(file)));
    from->setProperty("role", "muted");
    table_->setModel(model_);
    table_->setAccessibleName(tr("Kernels of the file"));
    makeEditable(*table_);
    QHeaderView* header = table_->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(KernelImportModel::NameColumn, QHeaderView::Stretch);
    const int rows = std::clamp(model_->rowCount(), leastKernels, mostKernels);
    table_->setFixedHeight(header->sizeHint().height() +
                           rows * table_->verticalHeader()->defaultSectionSize() + 2);
    const auto named = [](QWidget* control, const QString& words, const QString& tip) {
        auto* label = new QLabel(words);
        label->setBuddy(control);
        control->setAccessibleName(QString(words).remove('&'));
        setTip(control, tip);
        return label;
    };
    auto* seriesLabel = named(series_, tr("&Shown"), tr("Which shape and k the picture shows"));
    plot_->setMinimumHeight(20 * spacing);
    listDevices();
    auto* devicesLabel = named(devices_, tr("Timed &on"),
                               tr("The device: times are held against its datasheet, and what was not timed "
                                  "can be modelled"));
    auto* intoLabel =
        named(into_, tr("&Goes into"),
              tr("A copy of any profile, first of the one that is shown, or a profile of its own; "
                 "what is there stays as it is"));
    const auto offer = [this](int place) {
        into_->addItem(lineText(tr("a copy of %1").arg(profiles_[place])), place);
    };
    if (shown) {
        offer(*shown);
    }
    into_->addItem(tr("a new profile"));
    for (int i = 0; i < profiles_.size(); ++i) {
        if (i != shown) {
            offer(i);
        }
    }
    into_->setEnabled(into_->count() > 1);
    into_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* nameLabel = named(name_, tr("Profile &name"), tr("What lists and captions call the profile"));
    use_->setChecked(true);
    setTip(use_, tr("Simulator, Crossover, What pays and Batch view take the profile's times"));
    words_->setWordWrap(true);
    words_->setTextFormat(Qt::PlainText);
    words_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    words_->setMinimumHeight(3 * words_->fontMetrics().lineSpacing());
    words_->setAccessibleName(tr("What to know before it is added"));
    buttons_->button(QDialogButtonBox::Ok)->setText(tr("&Add"));
    setTip(buttons_->button(QDialogButtonBox::Ok),
           tr("Keeps the profile among yours and shows it: one step of undo"));
    buttons_->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    columnOf({from,
              table_,
              rowOf({seriesLabel, series_, Stretch{}, devicesLabel, devices_}, spacing),
              {plot_, 1},
              words_,
              rowOf({intoLabel, {into_, 1}, nameLabel, {name_, 1}}, spacing),
              rowOf({use_, Stretch{}, buttons_}, spacing)},
             spacing, this, {2 * spacing, 2 * spacing, 2 * spacing, 2 * spacing});
    const QRect room = screen()->availableGeometry();
    resize(importDialogSize.boundedTo(room.size() - QSize(2 * spacing, 6 * spacing)));
}

void ImportDialog::connectAll() {
    connect(model_, &KernelImportModel::edited, this, [this] {
        showSeries();
        proposeName();
        emit edited();
    });
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == KernelImportModel::StandsForColumn) {
            table_->edit(index); // a list needs one click
        }
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showSeries();
        emit edited();
    });
    connect(series_, &QComboBox::activated, this, &ImportDialog::edited);
    connect(devices_, &QComboBox::activated, this, [this] {
        if (offer().devices.empty()) {
            emit edited();
        } else {
            emit deviceAsked(devices_->currentData().toString());
        }
    });
    connect(into_, &QComboBox::activated, this, [this] {
        proposeName();
        emit edited();
    });
    connect(name_, &QLineEdit::textEdited, this, [this] { named_ = true; });
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

/// The file's own, where it has several; else what it says, and all that are known.
void ImportDialog::listDevices() {
    const KernelImport& file = offer();
    for (const std::string& name : file.devices) {
        devices_->addItem(lineText(QString::fromStdString(name)), QString::fromStdString(name));
    }
    if (!file.devices.empty()) {
        const auto read = std::ranges::find_if(
            file.devices, [&](const std::string& name) { return isSameDevice(name, file.head.device); });
        devices_->setCurrentIndex(static_cast<int>(read - file.devices.begin()));
        return;
    }
    devices_->addItem(file.head.device.empty()
                          ? tr("not known")
                          : lineText(tr("%1 (file)").arg(QString::fromStdString(file.head.device))),
                      QString());
    for (const Hardware& one : hardwareTable()) {
        devices_->addItem(QString::fromStdString(one.key), QString::fromStdString(one.key));
    }
}

/// Those of the kernel that is chosen in the table.
void ImportDialog::showSeries() {
    const auto row = static_cast<std::size_t>(std::max(table_->currentIndex().row(), 0));
    const ImportedReach reach = reachOf(offer().kernels[row]);
    const QString current = series_->currentText();
    const QSignalBlocker quiet(series_);
    series_->clear();
    for (const TimedShape& shape : reach.shapes) {
        for (const int k : reach.kBits.empty() ? std::vector<int>{fp16Bits} : reach.kBits) {
            series_->addItem(seriesText(shape, k), QVariantList{QString::fromStdString(textOf(shape)), k});
        }
    }
    // One that k-bit kernels were timed at, as the page shows it afterwards: not fp16's alone.
    const TimedShape wanted =
        shapeShown(loadline::profileOf(offer()), textOf(shownShape_)).value_or(shownShape_);
    const auto place = std::ranges::find(reach.shapes, wanted) - reach.shapes.begin();
    const int first = place < std::ssize(reach.shapes)
                          ? static_cast<int>(place) * series_->count() / static_cast<int>(reach.shapes.size())
                          : 0;
    const int kept = series_->findText(current);
    series_->setCurrentIndex(kept < 0 ? first : kept);
}

/// Proposes a profile name, as long as the user has not typed one.
void ImportDialog::proposeName() {
    if (named_) {
        return;
    }
    QStringList names;
    for (const ImportedKernel& kernel : offer().kernels) {
        if (kernel.taken) {
            names << QString::fromStdString(kernel.name.empty() ? std::string(nameOf(kernel.kernel))
                                                                : kernel.name);
        }
    }
    constexpr qsizetype mostNamed = 2;
    const QString kernels = names.size() > mostNamed ? tr("%1 kernels").arg(names.size()) : names.join(", ");
    name_->setText(lineText(copied() ? tr("%1 with %2").arg(profiles_[*copied()], kernels)
                                     : QString::fromStdString(offer().head.name)));
}

const KernelImport& ImportDialog::offer() const {
    return model_->offer();
}

void ImportDialog::setOffer(KernelImport offer) {
    model_->setOffer(std::move(offer));
    table_->setCurrentIndex(model_->index(0, KernelImportModel::NameColumn));
    showSeries();
    proposeName();
    emit edited();
}

std::string ImportDialog::device() const {
    return offer().devices.empty() ? devices_->currentData().toString().toStdString() : std::string();
}

std::optional<int> ImportDialog::copied() const {
    const QVariant place = into_->currentData();
    return place.isValid() ? std::optional(place.toInt()) : std::nullopt;
}

QString ImportDialog::profileName() const {
    return name_->text().trimmed();
}

bool ImportDialog::useForSimulation() const {
    return use_->isChecked();
}

TimedShape ImportDialog::shape() const {
    const QVariantList series = series_->currentData().toList();
    return timedShapeFromText(series.value(0).toString().toStdString()).value_or(TimedShape{});
}

int ImportDialog::kBits() const {
    const int k = series_->currentData().toList().value(1).toInt();
    return k >= minKBits && k <= maxKBits ? k : 4;
}

void ImportDialog::setPreview(const Preview& preview) {
    preview_ = preview;
    plot_->setDrawing(preview.drawing);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(preview.problem.isEmpty());
    showWords();
}

void ImportDialog::showWords() {
    const Theme& theme = themeOf(*this);
    const bool wrong = !preview_.problem.isEmpty();
    words_->setText(linesText(wrong ? preview_.problem : preview_.remarks.join(' ')));
    words_->setStyleSheet(QStringLiteral("color: %1").arg((wrong ? theme.error : theme.textMuted).name()));
}

} // namespace loadline::ui
