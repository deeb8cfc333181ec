// Devices and profiles to choose from.
#include "ui/panel/kernels/profile_list.h"

#include "ui/chart/paint_help.h"
#include "ui/panel/part/themed.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr int markSide = 12;

void paintMark(QPainter& painter, const QRectF& box, ProfileMark mark, const Theme& theme) {
    const QColor ink = theme.scalarGemv;
    switch (mark) {
    case ProfileMark::Nothing:
    case ProfileMark::Modelled:
        break;
    case ProfileMark::Here:
        painter.fillRect(box, ink);
        return;
    case ProfileMark::Running:
        painter.fillRect(QRectF(box.left(), box.center().y(), box.width(), box.height() / 2), ink);
        break;
    case ProfileMark::Elsewhere:
        hatch(painter, box, theme.textMuted, 3.5, 1.2);
        break;
    case ProfileMark::MadeUp:
        for (double x = box.left() + 2; x < box.right(); x += 4) {
            for (double y = box.top() + 2; y < box.bottom(); y += 4) {
                painter.fillRect(QRectF(x, y, 1.6, 1.6), theme.warning);
            }
        }
        break;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(mark == ProfileMark::Running  ? ink
                        : mark == ProfileMark::MadeUp ? theme.warning
                                                      : theme.textMuted,
                        1, mark == ProfileMark::Modelled ? Qt::DotLine : Qt::SolidLine));
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
}

class ProfileDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = option.widget != nullptr ? themeOf(*option.widget) : Theme::light();
        const bool heading = index.data(ProfileModel::KeyRole).toString().isEmpty();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        QRect line = option.rect.adjusted(spacing, 0, -spacing, 0);
        if (heading) {
            drawText(*painter, line.adjusted(0, spacing, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     fontOf(0.88, true), theme.textMuted, index.data().toString());
            painter->restore();
            return;
        }
        QStyleOptionViewItem ground = option;
        initStyleOption(&ground, index);
        ground.text.clear();
        if (option.widget != nullptr) { // ground, selection and focus
            option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);
        }
        const QString note = index.data(ProfileModel::NoteRole).toString();
        const int height = QFontMetrics(option.font).height();
        const QRectF box(line.left(), line.top() + 5 + (height - markSide) / 2.0, markSide, markSide);
        paintMark(*painter, box, static_cast<ProfileMark>(index.data(ProfileModel::MarkRole).toInt()), theme);
        line.setLeft(line.left() + markSide + spacing);
        const bool pale = !(index.flags() & Qt::ItemIsEnabled);
        drawText(*painter, QRectF(line.left(), line.top() + 5, line.width(), height),
                 Qt::AlignLeft | Qt::AlignVCenter, option.font, pale ? theme.textMuted : theme.text,
                 index.data().toString());
        drawText(*painter, QRectF(line.left(), line.top() + 5 + height, line.width(), height),
                 Qt::AlignLeft | Qt::AlignVCenter, fontOf(0.85), theme.textMuted, note);
        painter->restore();
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        const int height = QFontMetrics(option.font).height();
        const bool heading = index.data(ProfileModel::KeyRole).toString().isEmpty();
        return {120, heading ? height + 2 * spacing : 2 * height + 10};
    }
};

} // namespace

void ProfileModel::setEntries(std::vector<ProfileEntry> entries) {
    if (entries.size() == entries_.size() &&
        std::equal(entries.begin(), entries.end(), entries_.begin(),
                   [](const ProfileEntry& a, const ProfileEntry& b) { return a.key == b.key; })) {
        entries_ = std::move(entries); // the same lines with other words: the selection stays
        if (!entries_.empty()) {
            emit dataChanged(index(0), index(static_cast<int>(entries_.size()) - 1));
        }
        return;
    }
    beginResetModel();
    entries_ = std::move(entries);
    endResetModel();
}

int ProfileModel::rowOf(const QString& key) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const ProfileEntry& entry) { return entry.key == key; });
    return found == entries_.end() || key.isEmpty() ? -1 : static_cast<int>(found - entries_.begin());
}

int ProfileModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

QVariant ProfileModel::cell(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const ProfileEntry& entry = entries_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return entry.name;
    case Qt::ToolTipRole:
        return entry.toolTip.isEmpty() ? entry.note : entry.toolTip;
    case Qt::AccessibleTextRole:
        return entry.note.isEmpty() ? entry.name : entry.name + ", " + entry.note;
    case NoteRole:
        return lineText(entry.note);
    case MarkRole:
        return static_cast<int>(entry.mark);
    case KeyRole:
        return entry.key;
    default:
        return {};
    }
}

Qt::ItemFlags ProfileModel::flags(const QModelIndex& index) const {
    if (!index.isValid() || entries_[static_cast<std::size_t>(index.row())].key.isEmpty()) {
        return Qt::NoItemFlags;
    }
    const Qt::ItemFlags all = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return entries_[static_cast<std::size_t>(index.row())].unavailable ? all & ~Qt::ItemIsEnabled : all;
}

ProfileList::ProfileList(QWidget* parent) : QListView(parent), model_(new ProfileModel(this)) {
    setModel(model_);
    setItemDelegate(new ProfileDelegate(this));
    setAccessibleName(tr("Devices and profiles"));
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    followTheme(this, [this](const Theme&) { viewport()->update(); });
}

void ProfileList::setEntries(const std::vector<ProfileEntry>& entries) {
    const QString key = current();
    quiet_ = true;
    model_->setEntries(entries);
    quiet_ = false;
    if (current() != key) {
        setCurrent(key);
    }
}

void ProfileList::setCurrent(const QString& key) {
    quiet_ = true;
    const int row = model_->rowOf(key);
    setCurrentIndex(row < 0 ? QModelIndex() : model_->index(row));
    quiet_ = false;
}

QString ProfileList::current() const {
    return currentIndex().data(ProfileModel::KeyRole).toString();
}

QSize ProfileList::sizeHint() const {
    return {200, 260};
}

void ProfileList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    const QString key = current.data(ProfileModel::KeyRole).toString();
    if (!quiet_ && !key.isEmpty()) {
        emit chosen(key);
    }
}

} // namespace loadline::ui
