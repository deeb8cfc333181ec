// One setting of a sweep in its document.
#pragma once

#include "app/cli/sweep/sweep_document.h"

#include <nlohmann/json_fwd.hpp>

namespace loadline::app {

/// The memory of a k that was swept; nothing is known of another.
MemoryFit memoryAt(const SweepResult& result, int kBits);
/// Both formats at a k that was swept; null where formats are not compared.
const SweptPair* pairAt(const SweepResult& result, int kBits);

/// A chunk of 0 stands for none.
nlohmann::ordered_json chunkOrNull(Tokens chunk);

nlohmann::ordered_json pointDocument(const Swept& swept, const SweepPoint& point);

/// "formats" of the document: room of each k and of the format compared with; empty where none are compared.
nlohmann::ordered_json formatsDocument(const SweepResult& result);

} // namespace loadline::app
