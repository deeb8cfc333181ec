// Chooses a range of days.
#include "ui/panel/scope/date_range_popup.h"

#include "core/base/zone.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/plain_text.h"

#include <QCalendarWidget>
#include <QDateEdit>
#include <QDateTime>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTimeZone>

namespace loadline::ui {

namespace {

constexpr std::int64_t msOfDay = 86'400'000;

QDate dateOf(TimeMs time) {
    return QDateTime::fromMSecsSinceEpoch(asShown(time).ms, QTimeZone::utc()).date();
}

TimeMs midnightOf(const QDate& day) {
    return fromShown({QDate(1970, 1, 1).daysTo(day) * msOfDay});
}

QDateEdit* dayField(QWidget* parent, const QString& name) {
    auto* field = new QDateEdit(parent);
    field->setDisplayFormat(QStringLiteral("yyyy-MM-dd"));
    field->setCalendarPopup(true);
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    field->setTimeZone(QTimeZone::utc());
#else
    field->setTimeSpec(Qt::UTC);
#endif
    field->setAccessibleName(name);
    field->calendarWidget()->setFirstDayOfWeek(Qt::Monday);
    field->calendarWidget()->setVerticalHeaderFormat(QCalendarWidget::NoVerticalHeader);
    return field;
}

} // namespace

DateRangePopup::DateRangePopup(QWidget* parent)
    : QFrame(parent, Qt::Popup), from_(dayField(this, tr("First day"))), to_(dayField(this, tr("Last day"))),
      extent_(mutedLabel({}, this)) {
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Date range"));
    auto* fromLabel = new QLabel(tr("&From"), this);
    auto* toLabel = new QLabel(tr("&To"), this);
    fromLabel->setBuddy(from_);
    toLabel->setBuddy(to_);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(2 * spacing, 2 * spacing, 2 * spacing, 2 * spacing);
    grid->setSpacing(spacing);
    const struct {
        QString text;
        int days;
    } quick[] = {{tr("Last day"), 1}, {tr("Last 7 days"), 7}, {tr("Last 30 days"), 30}};
    int column = 0;
    for (const auto& [text, days] : quick) {
        auto* button = new QPushButton(text, this);
        setTip(button, tr("Counted back from the last day in the data"));
        connect(button, &QPushButton::clicked, this, [this, days = days] { chooseLastDays(days); });
        grid->addWidget(button, 0, column++);
    }
    grid->addWidget(fromLabel, 1, 0);
    grid->addWidget(from_, 1, 1, 1, 2);
    grid->addWidget(toLabel, 2, 0);
    grid->addWidget(to_, 2, 1, 1, 2);
    grid->addWidget(extent_, 3, 0, 1, 3);
    auto* all = new QPushButton(tr("All dates"), this);
    auto* apply = new QPushButton(tr("Show these days"), this);
    apply->setDefault(true);
    apply->setProperty("role", "primary");
    grid->addWidget(all, 4, 0);
    grid->addWidget(apply, 4, 1, 1, 2);
    connect(all, &QPushButton::clicked, this, [this] {
        hide();
        emit rangeChosen({}, {});
    });
    connect(apply, &QPushButton::clicked, this, [this] { choose(); });
    // The last day never lies before the first.
    connect(from_, &QDateEdit::dateChanged, to_, &QDateEdit::setMinimumDate);
}

void DateRangePopup::setRange(TimeMs first, TimeMs last, std::optional<TimeMs> from,
                              std::optional<TimeMs> to) {
    const bool known = isKnown(first) && isKnown(last);
    const QDate firstDay = known ? dateOf(first) : QDate(1970, 1, 1);
    const QDate lastDay = known ? dateOf(last) : QDate(2099, 12, 31);
    from_->setDateRange(firstDay, lastDay);
    to_->setDateRange(firstDay, lastDay);
    from_->setDate(from ? dateOf(*from) : firstDay);
    to_->setDate(to ? dateOf({to->ms - 1}) : lastDay);
    extent_->setText(known ? tr("Data from %1 to %2, days in %3")
                                 .arg(firstDay.toString(Qt::ISODate), lastDay.toString(Qt::ISODate),
                                      QString::fromStdString(zoneWords()))
                           : tr("The data have no dates."));
}

void DateRangePopup::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        choose();
    } else {
        QFrame::keyPressEvent(event);
    }
}

void DateRangePopup::choose() {
    hide();
    // The data's own ends stay open: new data belongs to the range, too.
    const std::optional<TimeMs> from =
        from_->date() > from_->minimumDate() ? std::optional(midnightOf(from_->date())) : std::nullopt;
    const std::optional<TimeMs> to =
        to_->date() < to_->maximumDate() ? std::optional(midnightOf(to_->date().addDays(1))) : std::nullopt;
    emit rangeChosen(from, to);
}

void DateRangePopup::chooseLastDays(int days) {
    to_->setDate(to_->maximumDate());
    from_->setDate(to_->maximumDate().addDays(1 - days));
    choose();
}

} // namespace loadline::ui
