#include "app/files/own_folder.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <sys/stat.h>

namespace loadline::app {

bool makeOwnFolder(const QString& path) {
    constexpr mode_t ownerAlone = 0700;
    const QString folder = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    if (QFileInfo(folder).isDir()) {
        return true;
    }
    return makeOwnFolder(QFileInfo(folder).path()) &&
           (::mkdir(QFile::encodeName(folder).constData(), ownerAlone) == 0 || QFileInfo(folder).isDir());
}

} // namespace loadline::app
