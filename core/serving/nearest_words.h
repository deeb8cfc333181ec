// Words for the nearest measured servers.
#pragma once

#include "core/serving/nearest_servers.h"

#include <span>
#include <string>

namespace loadline {

/// Returns NearestServers::words for the servers that it counts, one or more.
std::string nearestWords(const NearestServers& found, std::span<const JudgedServer* const> nearest);

/// Returns NearestServers::more for a result that counts servers.
std::string moreOfNearest(const NearestServers& found);

/// Returns NearestServers::words where no server of `judged` is near.
std::string outsideWords(const NearestServers& found, std::span<const JudgedServer* const> judged,
                         const ServerPoint& point);

} // namespace loadline
