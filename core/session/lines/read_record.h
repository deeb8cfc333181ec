// One record's raw text, read again from its place.
#pragma once

#include "core/base/result.h"
#include "core/session/session_file.h"

#include <string>

namespace loadline {

/// The raw text of one record, for the evidence panel. Error when the file is gone or the place lies beyond
/// it.
Result<std::string> readRecord(const std::string& path, const RecordPlace& place);

} // namespace loadline
