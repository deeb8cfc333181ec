// Writes and lists files of shapes.
#include "app/files/kept_shapes.h"

#include "core/base/hash128.h"
#include "core/cost/shapes_json.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <fmt/format.h>

namespace loadline::app {
namespace {

constexpr std::size_t mostKeyLetters = 48;
const QStringList keptNames = {QStringLiteral("*.json")};

} // namespace

QString keptShapesFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/loadline/shapes");
}

Status saveShapes(const ModelShapes& shapes, const QString& path) {
    const auto failed = [&](const QString& why) {
        return Error{"cannot write the shapes: " + why.toStdString(), path.toStdString(), "another folder"};
    };
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return failed(file.errorString());
    }
    const std::string text = toJson(shapes);
    file.write(text.data(), static_cast<qint64>(text.size()));
    if (!file.commit()) {
        return failed(file.errorString());
    }
    return Done{};
}

Result<std::string> keepShapes(const ModelShapes& shapes) {
    const QString folder = keptShapesFolder();
    QDir().mkpath(folder); // where that fails, writing says why
    const std::string name =
        fmt::format("{}-{:016x}.json", shapes.key.substr(0, mostKeyLetters), hashOf(toJson(shapes)).low);
    const QString path = folder + u'/' + QString::fromStdString(name);
    if (!QFile::exists(path)) {
        if (const Status saved = saveShapes(shapes, path); !saved) {
            return saved.error();
        }
    }
    return path.toStdString();
}

QStringList keptShapes(int most) {
    QStringList paths;
    const QDir folder(keptShapesFolder());
    for (const QString& name : folder.entryList(keptNames, QDir::Files | QDir::Readable, QDir::Time)) {
        if (paths.size() == most) {
            break;
        }
        paths << folder.filePath(name);
    }
    return paths;
}

} // namespace loadline::app
