// A dispatch rule as ranges and as text, each following the other.
#include "ui/panel/kernels/rule_dialog.h"

#include "core/cost/kernel/dispatch_text.h"
#include "ui/model/kernel_range_model.h"
#include "ui/panel/frame/dialog_scroll.h"
#include "ui/panel/kernels/range_table.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <utility>

namespace loadline::ui {
namespace {

constexpr int ruleDialogWidth = 72 * spacing;
/// Text is taken when typing pauses: "mma:1" on the way to "mma:16" is a rule, but not the one that is meant.
constexpr int typingMs = 600;

} // namespace

RuleDialog::RuleDialog(DispatchRule rule, QWidget* parent)
    : QDialog(parent), rule_(std::move(rule)), told_(rule_), before_(rule_), presets_(new QComboBox),
      dense_(new RangeTable(tr("Matrix products"), false)),
      grouped_(new RangeTable(tr("Experts (M: rows of each active expert)"), true)), text_(new QLineEdit),
      answer_(new QLabel), buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Edit kernels by M"));
    build();
    connect(presets_, &QComboBox::activated, this, &RuleDialog::choosePreset);
    for (RangeTable* table : {dense_, grouped_}) {
        connect(table, &RangeTable::edited, this, &RuleDialog::takeRanges);
        connect(table, &RangeTable::refused, this, [this](const QString& why) {
            refusal_ = why;
            showWords();
        });
    }
    connect(text_, &QLineEdit::textEdited, this, &RuleDialog::takeText);
    connect(text_, &QLineEdit::editingFinished, this, &RuleDialog::tell);
    typing_.setSingleShot(true);
    typing_.setInterval(typingMs);
    connect(&typing_, &QTimer::timeout, this, &RuleDialog::tell);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showRule(true);
}

void RuleDialog::setNaming(const KernelNaming& naming) {
    if (naming_ == naming) {
        return; // what is being edited stays open
    }
    naming_ = naming;
    for (RangeTable* table : {dense_, grouped_}) {
        table->model()->setNaming(naming);
        table->setRanges(table->ranges());
    }
    showWords();
}

void RuleDialog::build() {
    for (const DispatchRule& preset : dispatchPresets()) {
        presets_->addItem(QString::fromStdString(preset.name), QString::fromStdString(preset.key));
        setItemTip(presets_, presets_->count() - 1, QString::fromStdString(preset.source));
    }
    presets_->setPlaceholderText(tr("edited"));
    presets_->setAccessibleName(tr("Start from"));
    setTip(presets_, tr("Replaces what stands below by a preset"));
    auto* start = new QLabel(tr("&Start from"));
    start->setBuddy(presets_);
    auto* first = rowOf({start, {presets_, 1}}, spacing);
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text_->setAccessibleName(tr("The rule as text"));
    setTip(text_, tr("As for --rule: kernels with the M up to which each serves, the last without; "
                     "experts' after a semicolon. What the text leaves out stays as it is: without a "
                     "semicolon, what serves experts"));
    auto* asText = new QLabel(tr("As &text"));
    asText->setBuddy(text_);
    auto* second = rowOf({asText, {text_, 1}}, spacing);
    answer_->setWordWrap(true);
    answer_->setTextFormat(Qt::PlainText);
    answer_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    answer_->setMinimumHeight(3 * answer_->fontMetrics().lineSpacing());
    answer_->setAccessibleName(tr("What the rule says"));
    setTip(buttons_->button(QDialogButtonBox::Ok), tr("One step of undo"));
    setTip(buttons_->button(QDialogButtonBox::Cancel), tr("Back to the rule before"));
    buttons_->button(QDialogButtonBox::Cancel)->setAutoDefault(false);

    auto* content = new QWidget;
    columnOf({first, {dense_, 1}, {grouped_, 1}, second, answer_}, spacing + spacing / 2, content);
    fillDialog(*this, content, buttons_, ruleDialogWidth);
    followTheme(this, [this](const Theme&) { showWords(); });
}

void RuleDialog::choosePreset(int index) {
    take(dispatchPresets()[static_cast<std::size_t>(index)]);
    showRule(true);
    tell();
}

void RuleDialog::takeRanges() {
    DispatchRule next;
    next.dense = dense_->ranges();
    next.grouped = grouped_->ranges();
    if (const auto problem = problemOf(next)) {
        say(capitalised(*problem));
        return;
    }
    take(editedRule(next.dense, next.grouped));
    showRule(true);
    tell();
}

void RuleDialog::takeText() {
    const Result<DispatchRule> read = dispatchRuleFromText(text_->text().toStdString(), &before_);
    if (!read) {
        const Error error{read.error().what, "", read.error().remedy}; // the text stands above
        say(capitalised(error.sentence()));
        typing_.stop();
        return;
    }
    take(*read);
    showRule(false);
    typing_.start();
}

void RuleDialog::take(const DispatchRule& rule) {
    problem_.clear();
    refusal_.clear();
    outcome_.clear();
    rule_ = rule;
}

void RuleDialog::tell() {
    typing_.stop();
    if (rule_ != told_) {
        told_ = rule_;
        emit edited(told_);
    }
}

void RuleDialog::showRule(bool textToo) {
    const QString key = QString::fromStdString(textOf(rule_));
    presets_->setCurrentIndex(presets_->findData(key));
    dense_->setRanges(rule_.dense);
    grouped_->setRanges(rule_.grouped);
    dense_->setEnabled(!rule_.fastest);
    grouped_->setEnabled(!rule_.fastest);
    if (textToo) {
        before_ = rule_;
        text_->setText(QString::fromStdString(rule_.fastest ? rule_.key : rangesTextOf(rule_)));
        text_->setCursorPosition(0);
    }
    showWords();
}

void RuleDialog::setOutcome(const QString& sentence) {
    outcome_ = sentence;
    showWords();
}

void RuleDialog::say(const QString& problem) {
    problem_ = problem;
    refusal_.clear();
    showWords();
}

void RuleDialog::showWords() {
    QString words;
    for (const QString& wrong : {refusal_, problem_, outcome_}) {
        words = words.isEmpty() ? wrong : words;
    }
    const Theme& theme = themeOf(*this);
    const QColor& ink = words.isEmpty() ? theme.textMuted : theme.error;
    if (words.isEmpty() && rule_.fastest) {
        words = capitalised(rule_.source + ".");
    } else if (words.isEmpty()) {
        words = tr("%1.\nExperts: %2.")
                    .arg(capitalised(wordsOf(rule_.dense, naming_)),
                         QString::fromStdString(wordsOf(rule_.grouped, naming_)));
    }
    answer_->setText(linesText(words));
    answer_->setStyleSheet(QStringLiteral("color: %1").arg(ink.name()));
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(problem_.isEmpty());
}

} // namespace loadline::ui
