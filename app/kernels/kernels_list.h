// The list of the Kernels page: devices, then profiles by where they come from; their names elsewhere.
#pragma once

#include "app/kernels/kernel_bench.h"
#include "ui/form/field_rows.h"
#include "ui/panel/kernels/profile_list.h"

#include <vector>

namespace loadline::app {

std::vector<ui::ProfileEntry> profileEntries(const KernelBench& kernels);

/// "592 points, 2026-11-21"
QString describe(const Profile& profile);
/// Saved and opened profiles among those that a simulation may take, the newest first.
void offerProfiles(std::vector<ui::NamedChoice>& choices, const KernelBench& kernels);
/// Saved, published and opened profiles, in this order.
std::vector<SavedProfile> knownProfiles(const KernelBench& kernels);
/// "NVIDIA H100, 2026-11-21": told from others of the same name by its day.
QString datedNameOf(const SavedProfile& saved);
/// Returns the name of a profile in lists.
QString nameOf(const Profile& profile, const std::string& path);

} // namespace loadline::app
