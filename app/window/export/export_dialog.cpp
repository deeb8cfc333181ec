// The export dialog: every change redraws the preview, in a job.
#include "app/window/export/export_flow.h"
#include "ui/panel/frame/dialog_scroll.h"
#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>

namespace loadline::app {
namespace {

constexpr QSize previewSize{560, 420};
constexpr QSize besidePreview{320, 140}; ///< what the form, the buttons and the window take

QSpinBox* pixelBox(int value, const QString& name) {
    auto* box = new QSpinBox;
    box->setRange(200, 16384);
    box->setSingleStep(100);
    box->setSuffix(" px");
    box->setValue(value);
    box->setAccessibleName(name);
    box->setKeyboardTracking(false);
    return box;
}

QString linesWords() {
    return ExportDialog::tr("drawn as lines, sharp at any size");
}

} // namespace

ExportDialog::ExportDialog(ChartRequest request, std::shared_ptr<const Corpus> corpus,
                           const ExportChoices& choices, QWidget* parent)
    : QDialog(parent), request_(std::move(request)), corpus_(std::move(corpus)), folder_(choices.folder) {
    setWindowTitle(
        tr("Export \u201c%1\u201d")
            .arg(QString::fromUtf8(request_.chart->key.data(), qsizetype(request_.chart->key.size()))));
    build(choices);
    connect(&flow_, &ExportFlow::previewed, this, [this](QImage image) {
        image.setDevicePixelRatio(devicePixelRatioF());
        preview_->setPixmap(QPixmap::fromImage(image));
        emit previewShown();
    });
    connect(&flow_, &ExportFlow::failed, this, [this](const Error& error) {
        preview_->setText(ui::linesText(QString::fromStdString(error.sentence())));
    });
    refresh();
}

void ExportDialog::build(const ExportChoices& choices) {
    format_ = new QComboBox;
    for (const char* format : {"png", "svg", "pdf", "csv"}) {
        format_->addItem(QString(format).toUpper(), QString(format));
    }
    format_->setCurrentIndex(format_->findData(choices.format));
    width_ = pixelBox(choices.size.width(), tr("Width"));
    height_ = pixelBox(choices.size.height(), tr("Height"));
    scale_ = new QDoubleSpinBox;
    scale_->setRange(0.5, 4);
    scale_->setSingleStep(0.5);
    scale_->setPrefix("\u00d7 ");
    scale_->setValue(choices.scale);
    scale_->setKeyboardTracking(false);
    theme_ = new QComboBox;
    theme_->addItem(tr("light"));
    theme_->addItem(tr("dark"));
    theme_->setCurrentIndex(choices.theme == ui::ThemeKind::Dark ? 1 : 0);
    pixels_ = new QLabel;
    pixels_->setProperty("role", "muted");
    pixels_->setMinimumWidth(pixels_->fontMetrics().horizontalAdvance(linesWords())); // the longest it says
    preview_ = new QLabel;
    preview_->setFixedSize(previewSize.boundedTo(screen()->availableSize() - besidePreview));
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setWordWrap(true);
    preview_->setAccessibleName(tr("Preview"));

    auto* form = new QFormLayout;
    form->setSpacing(ui::spacing);
    form->addRow(tr("&Format"), format_);
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Height"), height_);
    form->addRow(tr("&Scale"), scale_);
    form->addRow(tr("&Colours"), theme_);
    form->addRow(QString(), pixels_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* content = new QWidget;
    auto* left = ui::columnOf({form, ui::Stretch{}});
    ui::rowOf({left, {preview_, 1}}, 3 * ui::spacing, content);
    ui::fillDialog(*this, content, buttons, content->sizeHint().width() + 5 * ui::spacing);

    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(theme_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(width_, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
    connect(height_, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
    connect(scale_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
}

ExportChoices ExportDialog::choices() const {
    ExportChoices choices;
    choices.folder = folder_;
    choices.format = format_->currentData().toString();
    choices.size = {width_->value(), height_->value()};
    choices.scale = scale_->value();
    choices.theme = theme_->currentIndex() == 1 ? ui::ThemeKind::Dark : ui::ThemeKind::Light;
    return choices;
}

void ExportDialog::refresh() {
    const ExportChoices now = choices();
    const bool picture = now.format != "csv";
    for (QWidget* control :
         {static_cast<QWidget*>(width_), static_cast<QWidget*>(height_), static_cast<QWidget*>(theme_)}) {
        control->setEnabled(picture);
    }
    scale_->setEnabled(now.format == "png");
    if (!picture) {
        pixels_->setText(tr("The numbers of the chart"));
        preview_->setText(tr("A table has no picture."));
        return;
    }
    const QSize pixels = now.format == "png" ? (QSizeF(now.size) * now.scale).toSize() : now.size;
    pixels_->setText(now.format == "png" ? tr("%1 \u00d7 %2 pixels").arg(pixels.width()).arg(pixels.height())
                                         : linesWords());
    if (preview_->pixmap().isNull()) {
        preview_->setText(tr("Drawing\u2026"));
    }
    flow_.preview(request_, corpus_, optionsOf(now), preview_->size() * devicePixelRatioF());
}

} // namespace loadline::app
