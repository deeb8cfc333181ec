// A vLLM command: text in, request out, both listed in words.
#include "ui/panel/simulation/engine_dialog.h"

#include "core/simulate/setup/setup.h"
#include "ui/model/table_model.h"
#include "ui/panel/frame/dialog_scroll.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace loadline::ui {
namespace {

constexpr int engineDialogWidth = 90 * spacing;
constexpr int pastedTextHeight = 14 * spacing;
constexpr int readTableHeight = 22 * spacing;

QLabel* heading(const QString& text, QWidget* buddy) {
    auto* label = new QLabel(text);
    label->setFont(fontOf(1, true));
    label->setBuddy(buddy);
    return label;
}

QString counted(std::size_t count, const QString& one, const QString& many) {
    return exactText(static_cast<std::int64_t>(count)) + u' ' + (count == 1 ? one : many);
}

/// Only what a shell reads as one plain word goes into a command that is copied.
std::string safeModel(const std::optional<std::string>& model) {
    const auto plain = [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("_-./:@+").find(static_cast<char>(c)) != std::string_view::npos;
    };
    return model && !model->empty() && std::all_of(model->begin(), model->end(), plain) ? *model : "MODEL";
}

} // namespace

SimulationRequest withOptions(SimulationRequest request, const EngineOptions& options) {
    request.policy = options.policy;
    if (options.shapes) {
        request.shapes = *options.shapes;
    }
    return request;
}

Table tableOf(const EngineOptions& options) {
    Table table;
    table.columns = {"option", "followed", "meaning"};
    for (const OptionTaken& taken : options.taken) {
        table.rows.push_back({taken.option, std::string("yes"), taken.means});
    }
    for (const OptionLeft& left : options.left) {
        table.rows.push_back({left.option, std::string("no"), left.why});
    }
    return table;
}

EngineDialog::EngineDialog(const SimulationRequest& request, QWidget* parent)
    : QDialog(parent), base_(request), current_(request), text_(new QPlainTextEdit), answer_(new QLabel),
      view_(new QTableView), options_(new TableModel(this)), command_(new QLineEdit),
      copy_(new QPushButton(tr("&Copy as vllm serve options"))) {
    setWindowTitle(tr("Paste a vLLM command"));
    build();
    connect(text_, &QPlainTextEdit::textChanged, this, &EngineDialog::follow);
    connect(copy_, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(command_->text());
        emit copied();
    });
    follow();
    showCommand();
}

void EngineDialog::build() {
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    text_->setFont(fixed);
    text_->setFixedHeight(pastedTextHeight);
    text_->setTabChangesFocus(true);
    text_->setAccessibleName(tr("Command line or config of an engine"));
    setTip(text_, tr("A vllm serve command line, or an engine's config as JSON or YAML"));
    text_->setPlaceholderText(
        tr("vllm serve Qwen/Qwen3-32B --max-num-batched-tokens 8192 --max-num-seqs 256"));
    answer_->setWordWrap(true);
    answer_->setTextFormat(Qt::PlainText);
    answer_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    answer_->setAccessibleName(tr("What was understood"));
    view_->setModel(options_);
    view_->setAccessibleName(tr("Options that were followed, and those that were not"));
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + spacing);
    view_->horizontalHeader()->setStretchLastSection(true);
    view_->horizontalHeader()->setHighlightSections(false);
    view_->setShowGrid(false);
    view_->setAlternatingRowColors(true);
    view_->verticalHeader()->setSectionResizeMode(
        QHeaderView::ResizeToContents); // meanings take several lines
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setMinimumHeight(readTableHeight);
    view_->setTabKeyNavigation(false);
    command_->setReadOnly(true);
    command_->setFont(fixed);
    command_->setAccessibleName(tr("The present setting as vllm serve options"));
    setTip(copy_, tr("Puts the command line on the clipboard"));
    copy_->setAutoDefault(false);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* back = rowOf({{command_, 1}, copy_}, spacing);
    auto* content = new QWidget;
    columnOf({heading(tr("&Paste a vllm serve command line or an engine's config"), text_),
              text_,
              answer_,
              {view_, 1},
              Space{spacing},
              heading(tr("The present setting as vllm serve &options"), command_),
              back},
             spacing, content);
    fillDialog(*this, content, buttons, engineDialogWidth);
    followTheme(this, [this](const Theme& theme) {
        answer_->setStyleSheet(
            QStringLiteral("color: %1").arg((wrong_ ? theme.error : theme.textMuted).name()));
    });
}

void EngineDialog::setRequest(const SimulationRequest& request) {
    if (request == current_) {
        return;
    }
    current_ = request;
    base_ = request; // chosen elsewhere: the text counts again when it is changed
    showCommand();
}

void EngineDialog::follow() {
    const QString text = text_->toPlainText();
    if (text.trimmed().isEmpty()) {
        options_->setTable(Table{});
        say(tr("The sliders follow what is pasted here. What the text does not mention stays as it is."),
            false);
        return;
    }
    const Result<EngineOptions> read =
        engineOptionsIn(text.toStdString(), base_.policy, orderOf(base_.arrivals, knowsSessions_));
    if (!read) {
        options_->setTable(Table{});
        say(capitalised(read.error().sentence()), true);
        return;
    }
    options_->setTable(tableOf(*read));
    view_->resizeColumnToContents(0);
    view_->resizeColumnToContents(1);
    const QString one = tr("option");
    const QString many = tr("options");
    say(tr("%1 followed, %2 left aside. What the text does not mention stays as it is.")
            .arg(counted(read->taken.size(), one, many),
                 exactText(static_cast<std::int64_t>(read->left.size()))),
        false);
    model_ = safeModel(read->model);
    const SimulationRequest next = withOptions(base_, *read);
    if (next == current_) {
        showCommand();
        return;
    }
    current_ = next;
    showCommand();
    emit followed(next);
}

void EngineDialog::showCommand() {
    const Result<std::string> command = vllmServeCommand(current_.policy, model_);
    copy_->setEnabled(command.hasValue());
    command_->setText(command ? QString::fromStdString(*command) : capitalised(command.error().sentence()));
    command_->setCursorPosition(0);
    setTip(command_, command_->text());
}

void EngineDialog::say(const QString& words, bool wrong) {
    wrong_ = wrong;
    answer_->setText(linesText(words));
    const Theme& theme = themeOf(*this);
    answer_->setStyleSheet(QStringLiteral("color: %1").arg((wrong ? theme.error : theme.textMuted).name()));
}

} // namespace loadline::ui
