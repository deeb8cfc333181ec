// Which build this is: for `loadline --version` and the provenance of what it measures.
#pragma once

#include <string>

namespace loadline::app {

/// The commit it was built from, 12 hex digits, then "-changed" where files differed; empty: not known.
std::string revision();
/// Its day, "2026-11-22"; empty: not known.
std::string revisionDate();

/// Version, commit, Qt, build type, and the CUDA kernels that are there; lines.
std::string versionText();

} // namespace loadline::app
