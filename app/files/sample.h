// The sample sessions that come with the program.
#pragma once

#include "core/base/result.h"

#include <string>

namespace loadline::app {

/// The folder with the sample as files, unpacked into the user's cache when it is not there yet. The files
/// are made up; another version of the sample gets another folder. Needs no QCoreApplication.
Result<std::string> sampleFolder();

} // namespace loadline::app
