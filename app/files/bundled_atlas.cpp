// Opens the tables among the program's resources.
#include "app/files/bundled_atlas.h"

#include "core/cost/device/atlas_name.h"

#include <QFile>
#include <QtGlobal>

#include <map>
#include <mutex>
#include <string>

// A library's own resources are not there before this was called; it cannot stand in a namespace.
static void initAtlasResources() {
    Q_INIT_RESOURCE(atlas);
}

namespace loadline::app {
namespace {

Result<std::string> atlasFile(const std::string& name) {
    QFile file(QString::fromStdString(":/atlas/" + name));
    if (!file.open(QIODevice::ReadOnly)) {
        return Error{.what = "the program comes without this table", .where = name, .remedy = ""};
    }
    return file.readAll().toStdString();
}

} // namespace

std::shared_ptr<const AtlasSurfaces> bundledAtlas(std::string_view gpu) {
    static std::mutex mutex;
    static std::map<std::string_view, std::shared_ptr<const AtlasSurfaces>> all;
    const AtlasName* const name = findAtlasName(gpu);
    if (name == nullptr) {
        return nullptr;
    }
    const Hardware* const hardware = findHardware(name->hardware);
    if (hardware == nullptr) {
        return nullptr;
    }
    const std::scoped_lock lock(mutex);
    if (all.empty()) {
        initAtlasResources();
    }
    std::shared_ptr<const AtlasSurfaces>& kept = all[name->key];
    if (!kept) {
        kept = std::make_shared<const AtlasSurfaces>(
            std::make_shared<const Atlas>(std::string(name->key), AtlasShelf{atlasFile}), *hardware);
    }
    return kept;
}

} // namespace loadline::app
