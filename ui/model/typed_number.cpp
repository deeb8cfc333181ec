// Reads what was typed.
#include "ui/model/typed_number.h"

#include <cmath>

namespace loadline::ui {

std::optional<std::int64_t> wholeFromText(const QString& text) {
    constexpr double exact = 9007199254740992.0; // 2^53
    QString plain = text.simplified().toLower();
    plain.remove(',').remove(' ').remove(QChar(0x202F)).remove(QChar(0x00A0));
    double factor = 1;
    if (plain.endsWith('k') || plain.endsWith('m')) {
        factor = plain.endsWith('k') ? 1e3 : 1e6;
        plain.chop(1);
    }
    bool good = false;
    const double value = plain.toDouble(&good) * factor;
    if (!good || !std::isfinite(value) || std::abs(value) >= exact || value != std::round(value)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(value);
}

} // namespace loadline::ui
