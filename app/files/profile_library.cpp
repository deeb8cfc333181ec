// Profiles as files in one folder.
#include "app/files/profile_library.h"

#include "app/files/own_folder.h"
#include "app/files/this_machine.h"
#include "core/base/file/read_file.h"
#include "core/base/file/write_file.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"
#include "core/cost/profile/profile_place.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <optional>

namespace loadline::app {
namespace {

constexpr std::size_t mostBytes = std::size_t{64} << 20;
constexpr qsizetype mostNameLength = 60;
constexpr int mostOfAName = 1000;

QString folder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/loadline/profiles");
}

/// Small letters, digits and single hyphens.
QString plainName(const std::string& text) {
    QString name;
    for (const QChar c : QString::fromStdString(text).toLower()) {
        const bool plain = (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9');
        if (plain) {
            name += c;
        } else if (!name.isEmpty() && !name.endsWith(u'-')) {
            name += u'-';
        }
    }
    name.truncate(mostNameLength);
    while (name.endsWith(u'-')) {
        name.chop(1);
    }
    return name;
}

std::optional<Profile> readSaved(const QString& path) {
    const Result<std::string> text = readWholeFile(path.toStdString(), "the profile", mostBytes);
    if (!text) {
        return std::nullopt;
    }
    Result<Profile> profile = profileFromJson(*text, path.toStdString());
    return profile ? std::optional(seenFrom(std::move(profile.value()), thisMachine())) : std::nullopt;
}

} // namespace

std::string profileFolder() {
    return folder().toStdString();
}

std::vector<std::string> savedProfilePaths() {
    std::vector<std::string> paths;
    const QDir place(folder());
    for (const QString& name : place.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        paths.push_back(place.filePath(name).toStdString());
    }
    return paths;
}

std::vector<SavedProfile> savedProfiles() {
    std::vector<SavedProfile> saved;
    for (const std::string& path : savedProfilePaths()) {
        if (std::optional<Profile> profile = readSaved(QString::fromStdString(path))) {
            saved.push_back({path, std::make_shared<const Profile>(std::move(*profile))});
        }
    }
    std::ranges::stable_sort(saved, [](const SavedProfile& a, const SavedProfile& b) {
        return a.profile->date > b.profile->date;
    });
    return saved;
}

bool hasSavedProfiles() {
    return !QDir(folder()).entryList({QStringLiteral("*.json")}, QDir::Files).isEmpty();
}

Result<std::string> saveProfile(const Profile& profile) {
    if (!makeOwnFolder(folder())) {
        return Error{"cannot make the folder of profiles", profileFolder(),
                     "setting XDG_DATA_HOME to a folder that can be written"};
    }
    const QString device = plainName(profile.device.empty() ? profile.name : profile.device);
    const QString name = (device.isEmpty() ? QStringLiteral("device") : device) + u'-' +
                         plainName(profile.date.empty() ? "undated" : profile.date);
    for (int i = 1; i < mostOfAName; ++i) {
        const QString path = folder() + u'/' + name + (i == 1 ? QString() : u'-' + QString::number(i)) +
                             QStringLiteral(".json");
        if (QFile::exists(path)) {
            continue;
        }
        if (Status written = writeFile(path.toStdString(), toJson(profile)); !written) {
            return written.error();
        }
        return path.toStdString();
    }
    return Error{"there are too many profiles of this device and time", profileFolder(), "removing some"};
}

Status removeProfile(const std::string& path) {
    const QString file = QString::fromStdString(path);
    if (QFileInfo(file).absolutePath() != QFileInfo(folder()).absoluteFilePath()) {
        return Error{"this profile is not one of those measured here", path, ""};
    }
    if (!QFile::moveToTrash(file) && !QFile::remove(file)) {
        return Error{"cannot remove the profile", path, "removing the file by hand"};
    }
    return Done{};
}

bool standsForThisMachine(const Profile& profile) {
    return profile.source.empty() && cutOf(profile).empty() && !profile.points.empty() &&
           !hasAddedPoints(profile);
}

std::vector<SavedProfile> profilesOfThisMachine() {
    std::vector<SavedProfile> own = savedProfiles();
    std::erase_if(own, [](const SavedProfile& saved) { return !standsForThisMachine(*saved.profile); });
    return own;
}

} // namespace loadline::app
