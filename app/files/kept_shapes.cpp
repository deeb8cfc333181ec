// Writes and lists files of shapes.
#include "app/files/kept_shapes.h"

#include "app/files/own_folder.h"
#include "core/base/file/write_file.h"
#include "core/base/hash128.h"
#include "core/cost/shapes/shapes_json.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <fmt/format.h>

namespace loadline::app {
namespace {

constexpr std::size_t mostKeyLetters = 48;
const QStringList keptNames = {QStringLiteral("*.json")};

/// Returns a part of a file's name for any key: no path separators, no halves of letters.
std::string plain(const std::string& key) {
    std::string text = key.substr(0, mostKeyLetters);
    for (char& c : text) {
        const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '.' || c == '-';
        c = kept ? c : '-';
    }
    return text;
}

} // namespace

QString keptShapesFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/loadline/shapes");
}

Status saveShapes(const ModelShapes& shapes, const QString& path) {
    return writeFile(path.toStdString(), toJson(shapes));
}

Result<std::string> keepShapes(const ModelShapes& shapes) {
    const QString folder = keptShapesFolder();
    makeOwnFolder(folder); // where that fails, writing says why
    const std::string name = fmt::format("{}-{:016x}.json", plain(shapes.key), hashOf(toJson(shapes)).low);
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
