// The measured servers that come with the program, beside the errors of their predictions.
#pragma once

#include "core/serving/judged_servers.h"

#include <memory>
#include <string>

class QString;

namespace loadline::app {

struct BundledServers {
    JudgedServers list;  ///< no servers if there is a problem
    std::string problem; ///< why the list cannot be used; "" if it can
};

/// Reads a list from a file or a resource.
BundledServers serversIn(const QString& path);

/// Returns the program's own list, read once. Thread-safe.
const BundledServers& bundledServers();
/// Its list alone; lives as long as the program.
std::shared_ptr<const JudgedServers> judgedServers();

} // namespace loadline::app
