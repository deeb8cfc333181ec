// Reads what was typed.
#include "ui/theme/typed_number.h"

#include "core/text/parse_number.h"

#include <cmath>

namespace loadline::ui {

std::optional<double> numberFromText(const QString& text) {
    QString plain = text.simplified().toLower();
    plain.remove(',').remove(' ').remove(QChar(0x202F)).remove(QChar(0x00A0));
    double factor = 1;
    if (plain.endsWith('k') || plain.endsWith('m')) {
        factor = plain.endsWith('k') ? 1e3 : 1e6;
        plain.chop(1);
    }
    const std::optional<double> number = parseNumber<double>(plain.toStdString());
    return number && std::isfinite(*number * factor) ? std::optional(*number * factor) : std::nullopt;
}

std::optional<std::int64_t> wholeFromText(const QString& text) {
    constexpr double exact = 9007199254740992.0; // 2^53
    const std::optional<double> value = numberFromText(text);
    if (!value || std::abs(*value) >= exact || *value != std::round(*value)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*value);
}

} // namespace loadline::ui
