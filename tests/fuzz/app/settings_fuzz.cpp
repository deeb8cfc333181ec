// Any bytes as the file of settings: what is read is saved so that it is read back equal.
#include "app/window/settings/settings.h"

#include "tests/fuzz/check.h"

#include <QFile>
#include <QTemporaryDir>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace loadline;
    using namespace loadline::app;
    using namespace loadline::fuzz;
    static const QTemporaryDir folder;
    static std::uint64_t number = 0; // QSettings remembers files by their names
    const QString path = folder.filePath(QStringLiteral("%1.ini").arg(++number));
    const QString saved = folder.filePath(QStringLiteral("%1-saved.ini").arg(number));
    {
        QFile file(path);
        check(file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(data), static_cast<qint64>(size));
    }
    const Settings settings = loadSettings(path);
    check(saveSettings(settings, saved));
    const Settings again = loadSettings(saved);
    check(again == settings);
    QFile::remove(path);
    QFile::remove(saved);
    return 0;
}
