// Unpacks the compiled-in sample, whole or not at all.
#include "app/files/sample.h"

#include "app/files/own_folder.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace loadline::app {
namespace {

const QString sampleRoot = QStringLiteral(":/sample");

/// Paths below the sample's root, in order.
QStringList sampleFiles() {
    QStringList files;
    QDirIterator below(sampleRoot, QDir::Files, QDirIterator::Subdirectories);
    while (below.hasNext()) {
        files.push_back(below.next().mid(sampleRoot.size() + 1));
    }
    files.sort();
    return files;
}

QByteArray contentOf(const QString& file) {
    QFile source(sampleRoot + u'/' + file);
    return source.open(QIODevice::ReadOnly) ? source.readAll() : QByteArray();
}

QString fingerprint(const QStringList& files) {
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const QString& file : files) {
        hash.addData(file.toUtf8());
        hash.addData(contentOf(file));
    }
    return QString::fromLatin1(hash.result().toHex().left(12));
}

Error failure(const QString& what, const QString& path) {
    return {("cannot unpack the sample: " + what).toStdString(), path.toStdString(),
            "making the cache folder writable, or setting XDG_CACHE_HOME to another folder"};
}

Status unpack(const QStringList& files, const QString& target) {
    const QDir parent = QFileInfo(target).dir();
    if (!makeOwnFolder(parent.path())) {
        return failure(QStringLiteral("the folder cannot be made"), parent.path());
    }
    QTemporaryDir part(target + QStringLiteral(".XXXXXX"));
    if (!part.isValid()) {
        return failure(part.errorString(), parent.path());
    }
    for (const QString& file : files) {
        const QString path = part.filePath(file);
        QFile copy(path);
        const QByteArray content = contentOf(file);
        if (!QDir().mkpath(QFileInfo(path).path()) || !copy.open(QIODevice::WriteOnly) ||
            copy.write(content) != content.size() || !copy.flush()) {
            return failure(copy.errorString(), path);
        }
    }
    if (QDir().rename(part.path(), target)) {
        part.setAutoRemove(false);
        return Done{};
    }
    // Another process may have been quicker; then its folder is as good.
    return QDir(target).exists() ? Status(Done{})
                                 : Status(failure(QStringLiteral("the folder cannot be renamed"), target));
}

} // namespace

Result<std::string> sampleFolder() {
    const QStringList files = sampleFiles();
    const QString target = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
                           QStringLiteral("/loadline/sample-") + fingerprint(files);
    if (!QDir(target).exists()) {
        if (Status unpacked = unpack(files, target); !unpacked) {
            return unpacked.error();
        }
    }
    return target.toStdString();
}

} // namespace loadline::app
