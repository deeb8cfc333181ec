// Reads the list among the program's resources.
#include "app/files/bundled_servers.h"

#include <QFile>
#include <QString>

#include <utility>

namespace loadline::app {

BundledServers serversIn(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {.list = {}, .problem = "the list of measured servers is missing: " + path.toStdString()};
    }
    Result<JudgedServers> read = judgedServersFrom(file.readAll().toStdString(), path.toStdString());
    if (!read) {
        return {.list = {}, .problem = read.error().sentence()};
    }
    return {.list = std::move(*read), .problem = {}};
}

std::shared_ptr<const JudgedServers> judgedServers() {
    return {std::shared_ptr<const JudgedServers>(), &bundledServers().list};
}

const BundledServers& bundledServers() {
    static const BundledServers servers = serversIn(QStringLiteral(":/serving/judged_servers.csv"));
    return servers;
}

} // namespace loadline::app
