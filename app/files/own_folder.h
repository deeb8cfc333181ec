// Folders that the program makes for itself: settings, profiles, caches.
#pragma once

#include <QString>

namespace loadline::app {

/// Makes the folder and all above it that are missing, open to their owner alone whatever the umask is (XDG
/// Base Directory Specification). True if the folder is there afterwards.
bool makeOwnFolder(const QString& path);

} // namespace loadline::app
