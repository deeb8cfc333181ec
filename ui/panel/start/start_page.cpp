// The first thing one sees: where sessions can come from.
#include "ui/panel/start/start_page.h"

#include "core/session/files/session_formats.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/start/source_card.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace loadline::ui {

namespace {

constexpr int columnWidth = 720;
constexpr qsizetype recentShown = 6;

/// "~/work" for a folder below the home.
QString atHome(const QString& path) {
    const QString home = QDir::homePath();
    return home.size() > 1 && (path == home || path.startsWith(home + u'/')) ? u'~' + path.mid(home.size())
                                                                             : path;
}

/// A row of the list: the folder as a flat button, and a button that forgets it.
class RecentRow : public QWidget {
public:
    RecentRow(const QString& folder, QWidget* parent)
        : QWidget(parent), open(new QPushButton(this)), remove(new QToolButton(this)) {
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(spacing / 2);
        const QString name = QFileInfo(folder).fileName();
        open->setText(buttonText(middleElided(lineText(atHome(folder)), open->font(), columnWidth - 80)));
        setTip(open, folder);
        open->setAccessibleName(StartPage::tr("Open %1 again").arg(lineText(name.isEmpty() ? folder : name)));
        open->setFlat(true);
        open->setAutoDefault(true); // the return key too
        open->setCursor(Qt::PointingHandCursor);
        setTip(remove, StartPage::tr("Remove from this list"));
        remove->setAccessibleName(StartPage::tr("Remove %1 from this list").arg(lineText(folder)));
        row->addWidget(open, 1);
        row->addWidget(remove);
        followTheme(this, [this](const Theme& theme) {
            remove->setIcon(icon(QStringLiteral("close"), theme));
            open->setStyleSheet(
                QStringLiteral("QPushButton { text-align: left; border: 1px solid transparent; "
                               "border-radius: 5px; background: transparent; color: %1; "
                               "padding: 5px 8px; }"
                               "QPushButton:hover { background: %2; }"
                               "QPushButton:focus { border-color: %3; }")
                    .arg(theme.text.name(), theme.grid.name(), theme.accent.name()));
        });
    }

    QPushButton* open;
    QToolButton* remove;
};

/// Names the program as long as there is one whose sessions are read.
QString ownTitle() {
    const std::vector<const SessionFormat*> formats = sessionFormats();
    return formats.size() == 1
               ? StartPage::tr("My %1 sessions").arg(QString::fromUtf8(formats.front()->program))
               : StartPage::tr("My sessions");
}

/// "~/.claude": where those programs keep what is theirs, unless told otherwise.
QString usualPlaces() {
    QStringList places;
    for (const SessionFormat* format : sessionFormats()) {
        places << QString::fromUtf8(format->home).section(u'/', 0, -2);
    }
    return places.join(QStringLiteral(", "));
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), open_(new SourceCard(QStringLiteral("open"), tr("Open folder…"), this)),
      own_(new SourceCard(QStringLiteral("sessions"), ownTitle(), this)),
      sample_(new SourceCard(QStringLiteral("distributions"), tr("The sample"), this)),
      error_(new QLabel(this)), recentTitle_(mutedLabel(tr("Recent"), this)), recentRows_(new QVBoxLayout),
      dropHint_(mutedLabel(tr("Or drop a folder or file anywhere on this window."), this)) {
    auto* title = new QLabel(tr("Loadline"), this);
    title->setFont(fontOf(2.2, true));
    auto* subtitle =
        mutedLabel(tr("See what your agents ask of the machine: tokens, turns, caches and time, from the "
                      "session files that are already on your disk."),
                   this);
    subtitle->setWordWrap(true);
    subtitle->setFont(fontOf(1.1));

    open_->setExplanation(tr("Any folder of agent sessions, for example a project's."));
    setTip(
        open_,
        tr("Choose a folder (%1)").arg(QKeySequence(QKeySequence::Open).toString(QKeySequence::NativeText)));
    own_->setExplanation(tr("Looking…"));
    own_->setEnabled(false);
    sample_->setExplanation(tr("Made-up sessions that show what every page can do."));

    error_->setWordWrap(true);
    error_->setTextFormat(Qt::PlainText);
    error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    error_->setAccessibleName(tr("What went wrong"));
    error_->hide();

    const auto link = [this](const char* name, const QString& text, const QString& tip) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QString::fromLatin1(name));
        setTip(button, tip);
        button->setAccessibleName(QString(text).remove(QStringLiteral("…")));
        button->setFlat(true);
        button->setAutoDefault(true); // the return key too
        button->setCursor(Qt::PointingHandCursor);
        return button;
    };
    auto* files = link("files", tr("Open single files…"),
                       tr("Session files; a request trace to simulate; kernel times"));
    auto* simulate =
        link("simulate", tr("Simulate batching"), tr("Continuous batching with the published workload"));
    auto* kernels = link("kernels", tr("Time this machine's kernels"),
                         tr("Measure matrix kernels here, or look at published timings"));
    connect(simulate, &QPushButton::clicked, this, &StartPage::simulationRequested);
    connect(kernels, &QPushButton::clicked, this, &StartPage::kernelsRequested);
    auto* privacy = mutedLabel(tr("Files are only read. Nothing leaves this machine."), this);

    auto* cards = new QHBoxLayout;
    cards->setSpacing(2 * spacing);
    for (SourceCard* card : {own_, open_, sample_}) {
        cards->addWidget(card);
    }
    auto* foot = rowOf({dropHint_, files, Stretch{}});
    auto* without = rowOf({mutedLabel(tr("Without any files:"), this), simulate, kernels, Stretch{}});
    recentRows_->setSpacing(0);

    auto* column = new QWidget(this);
    column->setMaximumWidth(columnWidth);
    column->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    columnOf({title, subtitle, Space{2 * spacing}, error_, cards, foot, without, Space{2 * spacing},
              recentTitle_, recentRows_},
             spacing, column);

    auto* middle = rowOf({Stretch{}, {column, 100}, Stretch{}});
    columnOf({Stretch{2}, middle, Stretch{3}, {privacy, 0, Qt::AlignHCenter}}, -1, this,
             {3 * spacing, 3 * spacing, 3 * spacing, 3 * spacing});

    setTabOrder(own_, open_);
    setTabOrder(open_, sample_);
    setTabOrder(sample_, files);
    setTabOrder(files, simulate);
    setTabOrder(simulate, kernels);
    connect(open_, &QAbstractButton::clicked, this, &StartPage::openFolderRequested);
    connect(files, &QAbstractButton::clicked, this, &StartPage::openFilesRequested);
    connect(sample_, &QAbstractButton::clicked, this, &StartPage::sampleRequested);
    connect(own_, &QAbstractButton::clicked, this, [this] { emit pathsRequested(defaultFolders_); });
    followTheme(this, [this, files, simulate, kernels](const Theme& theme) {
        error_->setStyleSheet(QStringLiteral("color: %1").arg(theme.error.name()));
        for (QPushButton* one : {files, simulate, kernels}) {
            one->setStyleSheet(
                QStringLiteral("QPushButton { border: 1px solid transparent; border-radius: 5px; "
                               "background: transparent; color: %1; padding: 3px 4px; }"
                               "QPushButton:hover { text-decoration: underline; }"
                               "QPushButton:focus { border-color: %1; }")
                    .arg(theme.accent.name()));
        }
    });
    setAccessibleName(tr("Start"));
    fillRecent();
}

void StartPage::setDefaultSessions(std::uint64_t files, std::uint64_t bytes, const QStringList& folders) {
    defaultFolders_ = folders;
    own_->setEnabled(files > 0);
    own_->setPrimary(files > 0);
    if (files > 0 && open_->hasFocus()) {
        own_->setFocus(); // what most people want is one Enter away
    }
    QStringList places;
    for (const QString& folder : folders) {
        places << atHome(folder);
    }
    const QString where = places.isEmpty() ? usualPlaces() : places.join(QStringLiteral(", "));
    if (files > 0) {
        own_->setExplanation(tr("%1 %2, %3\n%4")
                                 .arg(exactText(static_cast<std::int64_t>(files)),
                                      files == 1 ? tr("file") : tr("files"), bytesText(bytes), where));
    } else {
        own_->setExplanation(tr("There are none in %1.").arg(where));
    }
    setTip(own_, folders.join(u'\n'));
}

void StartPage::setRecentFolders(const QStringList& folders) {
    recent_ = folders.mid(0, recentShown);
    fillRecent();
}

void StartPage::setDropActive(bool active) {
    dropActive_ = active;
    dropHint_->setText(active ? tr("Drop it here.")
                              : tr("Or drop a folder or file anywhere on this window."));
    update();
}

void StartPage::setError(const QString& sentence) {
    error_->setText(linesText(sentence));
    error_->setVisible(!sentence.isEmpty());
}

void StartPage::paintEvent(QPaintEvent* /*event*/) {
    if (!dropActive_) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(*this);
    painter.setPen(QPen(theme.accent, 2, Qt::DashLine));
    QColor wash = theme.accentSoft;
    wash.setAlphaF(0.4F);
    painter.setBrush(wash);
    painter.drawRoundedRect(QRectF(rect()).adjusted(spacing, spacing, -spacing, -spacing), 10, 10);
}

void StartPage::fillRecent() {
    while (QLayoutItem* item = recentRows_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // this may be its own click
        delete item;
    }
    recentTitle_->setVisible(!recent_.isEmpty());
    for (const QString& folder : recent_) {
        auto* row = new RecentRow(folder, this);
        connect(row->open, &QAbstractButton::clicked, this,
                [this, folder] { emit pathsRequested({folder}); });
        connect(row->remove, &QAbstractButton::clicked, this,
                [this, folder] { emit recentFolderRemoved(folder); });
        recentRows_->addWidget(row);
        row->show();
    }
}

} // namespace loadline::ui
