// Whole numbers as people type them into a cell.
#pragma once

#include <QString>

#include <cstdint>
#include <optional>

namespace loadline::ui {

/// "0.9", "8,192", "8 192", "8k" (8,000), "2M"; nothing for what is no number, or none that is finite.
std::optional<double> numberFromText(const QString& text);

/// "8192", "8,192", "8 192", "8k" (8,000), "2M"; nothing where it is no whole number below 2^53.
std::optional<std::int64_t> wholeFromText(const QString& text);

} // namespace loadline::ui
