// Devices and profiles to choose from: told apart at a glance, hatched where not measured on this machine.
#pragma once

#include "ui/model/plain_model.h"

#include <QAbstractListModel>
#include <QListView>
#include <QString>

#include <vector>

namespace loadline::ui {

/// The mark drawn before a profile's name.
enum class ProfileMark {
    Nothing,   ///< not measured yet: an empty box
    Here,      ///< measured on this machine: solid
    Elsewhere, ///< published, or measured on another machine: hatched
    MadeUp,    ///< invented figures: dotted
    Modelled,  ///< calculated: a dotted outline
    Running,   ///< being measured: half filled
};

/// A line of the list; without a key it is a heading.
struct ProfileEntry {
    QString key;
    QString name;
    QString note; ///< "not measured yet", "592 points, 2026-11-21"
    QString toolTip;
    ProfileMark mark = ProfileMark::Nothing;
    bool unavailable = false; ///< nothing can be timed on it and there is no profile; the note says why
    bool operator==(const ProfileEntry&) const = default;
};

class ProfileModel : public PlainModel<QAbstractListModel> {
    Q_OBJECT

public:
    enum Role { NoteRole = Qt::UserRole, MarkRole, KeyRole };

    using PlainModel::PlainModel;

    void setEntries(std::vector<ProfileEntry> entries);

    [[nodiscard]] const std::vector<ProfileEntry>& entries() const { return entries_; }

    [[nodiscard]] int rowOf(const QString& key) const; ///< -1: there is none

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;

private:
    std::vector<ProfileEntry> entries_;
};

class ProfileList : public QListView {
    Q_OBJECT

public:
    explicit ProfileList(QWidget* parent = nullptr);

    /// Emits nothing.
    void setEntries(const std::vector<ProfileEntry>& entries);
    void setCurrent(const QString& key);

    [[nodiscard]] const ProfileModel& profiles() const { return *model_; }

    [[nodiscard]] QString current() const;

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void chosen(const QString& key); ///< by the user

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    ProfileModel* model_ = nullptr;
    bool quiet_ = false;
};

} // namespace loadline::ui
