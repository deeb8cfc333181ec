// A model's shapes in a table and a form.
#include "ui/panel/kernels/shapes_dialog.h"

#include "ui/model/gemm_model.h"
#include "ui/panel/frame/dialog_scroll.h"
#include "ui/panel/kernels/attention_form.h"
#include "ui/panel/kernels/cell_delegate.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cctype>

namespace loadline::ui {
namespace {

constexpr int shapesDialogWidth = 96 * spacing;
constexpr int shapesShown = 8;
constexpr int numberWidth = 9 * spacing; // "16 777 216"
constexpr int mostLetters = 120;

std::string editedName(const ModelShapes& shapes) {
    return shapes.name + ", edited";
}

/// The preset that these are, name and all, or under the name that editing gives; null: none.
const ModelShapes* presetOf(const ModelShapes& shapes) {
    for (const ModelShapes& preset : shapePresets()) {
        if (preset.gemms == shapes.gemms && preset.attention == shapes.attention &&
            (shapes.name == preset.name || shapes.name == editedName(preset))) {
            return &preset;
        }
    }
    return nullptr;
}

QString summaryOf(const ModelShapes& shapes) {
    const double weights = totalWeights(shapes);
    return ShapesDialog::tr("%1 weights, %2 in fp16; one row meets %3 of them.")
        .arg(countText(weights), bytesText(static_cast<std::uint64_t>(std::min(2 * weights, 1e19))),
             countText(weightsPerRow(shapes)));
}

} // namespace

std::string keyFor(const std::string& name) {
    std::string key;
    for (const char c : name) {
        const auto letter = static_cast<unsigned char>(c);
        if (letter < 0x80 && std::isalnum(letter) != 0) {
            key += static_cast<char>(std::tolower(letter));
        } else if (c == '.' && !key.empty()) {
            key += c; // "llama-3.1"
        } else if (!key.empty() && key.back() != '-') {
            key += '-';
        }
    }
    while (!key.empty() && (key.back() == '-' || key.back() == '.')) {
        key.pop_back();
    }
    return key.empty() ? "edited" : key;
}

ShapesDialog::ShapesDialog(const ModelShapes& shapes, const QString& folder, QWidget* parent)
    : QDialog(parent), presets_(new QComboBox), name_(new QLineEdit), source_(new QLineEdit),
      gemms_(new GemmModel(this)), view_(new QTableView), attention_(new AttentionForm),
      add_(new QPushButton(tr("A&dd"))), remove_(new QPushButton(tr("&Remove"))), answer_(new QLabel),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Edit shapes"));
    build(folder);
    show(shapes);
    connectAll();
    followTheme(this, [this](const Theme&) { showWords(); });
}

QLayout* ShapesDialog::buildTable() {
    view_->setModel(gemms_);
    view_->setAccessibleName(tr("Matrix products"));
    makeEditable(*view_);
    QHeaderView* header = view_->horizontalHeader();
    header->setSectionResizeMode(GemmModel::Name, QHeaderView::Stretch);
    for (int column = GemmModel::K; column < GemmModel::ColumnCount; ++column) {
        header->resizeSection(column, column == GemmModel::Quantised ? numberWidth + spacing : numberWidth);
    }
    view_->setMinimumHeight(header->sizeHint().height() +
                            shapesShown * view_->verticalHeader()->defaultSectionSize() + 2);
    setTip(add_, tr("A copy of the chosen matrix product under a name of its own (Insert)"));
    add_->setAccessibleName(tr("Add a matrix product"));
    setTip(remove_, tr("Without the chosen matrix product (Delete)"));
    remove_->setAccessibleName(tr("Remove the matrix product"));
    auto* load = new QPushButton(tr("&Load\u2026"));
    setTip(load, tr("Shapes from a JSON file, as --shapes reads them"));
    auto* save = new QPushButton(tr("&Save as\u2026"));
    save->setObjectName("saveShapes");
    setTip(save, tr("Writes the shapes to a JSON file that --shapes reads"));
    connect(load, &QPushButton::clicked, this, &ShapesDialog::loadRequested);
    connect(save, &QPushButton::clicked, this, &ShapesDialog::saveRequested);
    auto* column = new QVBoxLayout;
    column->setSpacing(spacing);
    for (QPushButton* button : {add_, remove_, load, save}) {
        button->setAutoDefault(false);
        if (button == load) {
            column->addStretch(1);
        }
        column->addWidget(button);
    }
    clickOnKey(*view_, Qt::Key_Insert, *add_);
    clickOnKey(*view_, Qt::Key_Delete, *remove_);
    auto* row = rowOf({{view_, 1}, column}, spacing);
    return row;
}

void ShapesDialog::build(const QString& folder) {
    for (const ModelShapes& preset : shapePresets()) {
        presets_->addItem(QString::fromStdString(preset.name), QString::fromStdString(preset.key));
        setItemTip(presets_, presets_->count() - 1, QString::fromStdString(preset.source));
    }
    presets_->setPlaceholderText(tr("edited"));
    setTip(presets_, tr("Replaces what stands below by the shapes of a model"));
    setTip(name_, tr("What charts and lists call the shapes"));
    setTip(source_, tr("Where the sizes come from: kept with them"));
    auto* head = new QGridLayout;
    head->setHorizontalSpacing(spacing);
    head->setVerticalSpacing(spacing);
    const auto addField = [&](const QString& text, QWidget* field, int row, int column) {
        auto* label = new QLabel(text);
        label->setBuddy(field);
        QString plain = text;
        field->setAccessibleName(plain.remove('&'));
        head->addWidget(label, row, column);
        head->addWidget(field, row, column + 1, 1, row == 1 ? 3 : 1);
    };
    addField(tr("S&tart from"), presets_, 0, 0);
    addField(tr("&Name"), name_, 0, 2);
    addField(tr("S&ource"), source_, 1, 0);
    head->setColumnStretch(1, 1);
    head->setColumnStretch(3, 1);
    for (QLineEdit* field : {name_, source_}) {
        field->setMaxLength(mostLetters);
    }
    auto* label = new QLabel(tr("&Matrix products [M x K] [K x N]"));
    label->setFont(fontOf(1, true));
    label->setBuddy(view_);
    answer_->setWordWrap(true);
    answer_->setTextFormat(Qt::PlainText);
    answer_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    answer_->setMinimumHeight(2 * answer_->fontMetrics().lineSpacing());
    answer_->setAccessibleName(tr("What is said of the shapes"));
    QLabel* kept = mutedLabel(tr("OK keeps edited shapes as a file in %1: simulations and exported commands "
                                 "name it, and it is never changed.")
                                  .arg(folder),
                              this);
    kept->setWordWrap(true);
    kept->setFont(fontOf(0.9));
    setTip(buttons_->button(QDialogButtonBox::Ok), tr("One step of undo"));
    setTip(buttons_->button(QDialogButtonBox::Cancel), tr("Back to the shapes before"));
    buttons_->button(QDialogButtonBox::Cancel)->setAutoDefault(false);

    auto* content = new QWidget;
    columnOf({head,
              Space{spacing / 2},
              label,
              {buildTable(), 1},
              Space{spacing / 2},
              attention_,
              Space{spacing / 2},
              answer_,
              kept},
             spacing, content);
    fillDialog(*this, content, buttons_, shapesDialogWidth);
}

void ShapesDialog::connectAll() {
    connect(presets_, &QComboBox::activated, this,
            [this](int index) { load(shapePresets()[static_cast<std::size_t>(index)]); });
    connect(name_, &QLineEdit::textEdited, this, &ShapesDialog::take);
    connect(source_, &QLineEdit::textEdited, this, &ShapesDialog::take);
    connect(gemms_, &GemmModel::edited, this, &ShapesDialog::take);
    connect(gemms_, &GemmModel::refused, this, [this](const QString& why) {
        refusal_ = why;
        showWords();
    });
    connect(attention_, &AttentionForm::edited, this, &ShapesDialog::take);
    connect(add_, &QPushButton::clicked, this, &ShapesDialog::addGemm);
    connect(remove_, &QPushButton::clicked, this, &ShapesDialog::removeGemm);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void ShapesDialog::load(const ModelShapes& shapes) {
    const bool same = shapes == shapes_;
    show(shapes);
    if (!same) {
        emit edited(shapes_);
    }
}

void ShapesDialog::show(const ModelShapes& shapes) {
    base_ = shapes;
    shapes_ = shapes;
    for (QString* words : {&refusal_, &problem_, &outcome_, &note_}) {
        words->clear();
    }
    name_->setText(QString::fromStdString(shapes.name));
    source_->setText(QString::fromStdString(shapes.source));
    source_->setCursorPosition(0);
    gemms_->setGemms(shapes.gemms);
    attention_->setFacts(shapes.attention);
    view_->setCurrentIndex(gemms_->index(0, GemmModel::Name));
    showWords();
}

/// Takes the shapes from the dialog, if they can be used.
void ShapesDialog::take() {
    refusal_.clear();
    note_.clear();
    outcome_.clear();
    ModelShapes next;
    next.gemms = gemms_->gemms();
    next.attention = attention_->facts();
    const bool changed = next.gemms != base_.gemms || next.attention != base_.attention;
    if (changed && findShapePreset(base_.key) != nullptr && name_->text().toStdString() == base_.name) {
        name_->setText(QString::fromStdString(editedName(base_)));
        source_->setText(tr("edited from %1").arg(QString::fromStdString(base_.name)));
    }
    next.name = name_->text().trimmed().toStdString();
    next.source = source_->text().trimmed().toStdString();
    next.key = keyFor(next.name);
    if (const ModelShapes* preset = presetOf(next)) {
        next = *preset;
    }
    const auto problem =
        next.name.empty() ? std::optional<std::string>("the shapes have no name") : problemOf(next);
    problem_ = problem ? capitalised(*problem) : QString();
    if (!problem && next != shapes_) {
        shapes_ = std::move(next);
        emit edited(shapes_);
    }
    showWords();
}

void ShapesDialog::addGemm() {
    const int row = gemms_->add(view_->currentIndex().row());
    if (row >= 0) {
        view_->setCurrentIndex(gemms_->index(row, GemmModel::Name));
    }
}

void ShapesDialog::removeGemm() {
    const QModelIndex current = view_->currentIndex();
    if (gemms_->remove(current.row()) && gemms_->rowCount() > 0) {
        view_->setCurrentIndex(
            gemms_->index(std::min(current.row(), gemms_->rowCount() - 1), current.column()));
    }
}

void ShapesDialog::setOutcome(const QString& sentence) {
    outcome_ = sentence;
    showWords();
}

void ShapesDialog::say(const QString& words, bool wrong) {
    note_ = words;
    noteWrong_ = wrong;
    showWords();
}

void ShapesDialog::showWords() {
    const ModelShapes* preset = presetOf(shapes_);
    presets_->setCurrentIndex(preset ? presets_->findData(QString::fromStdString(preset->key)) : -1);
    remove_->setEnabled(gemms_->rowCount() > 0);
    QString words;
    for (const QString& wrong : {refusal_, problem_, noteWrong_ ? note_ : QString(), outcome_}) {
        words = words.isEmpty() ? wrong : words;
    }
    const Theme& theme = themeOf(*this);
    const QColor& ink = words.isEmpty() ? theme.textMuted : theme.error;
    if (words.isEmpty()) {
        words = (note_.isEmpty() ? QString() : note_ + u' ') + summaryOf(shapes_);
    }
    answer_->setText(linesText(words));
    answer_->setStyleSheet(QStringLiteral("color: %1").arg(ink.name()));
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(problem_.isEmpty());
}

} // namespace loadline::ui
