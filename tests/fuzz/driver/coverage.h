// Which code an input reached, where the compiler marks its blocks (-fsanitize-coverage=trace-pc).
#pragma once

namespace loadline::fuzz {

/// Forgets what was reached since the last call.
void startCoverage();
/// Whether anything was reached, or reached more often, than ever before; always false where nothing is
/// marked.
bool reachedSomethingNew();

} // namespace loadline::fuzz
