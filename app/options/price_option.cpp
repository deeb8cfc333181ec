// --prices: what models cost per token.
#include "app/options/price_option.h"

#include "core/ask/field_row.h"
#include "core/base/file/read_file.h"

#include <QFile>

#include <array>
#include <cstddef>

namespace loadline::app {

const PriceList& bundledPrices() {
    static const PriceList list = [] {
        const QString name = QStringLiteral(":/prices/prices.json");
        QFile file(name);
        const bool isOpen = file.open(QIODevice::ReadOnly);
        const auto read = pricesFromJson(isOpen ? file.readAll().toStdString() : "", name.toStdString());
        return read ? *read : PriceList(); // a test reads it
    }();
    return list;
}

ask::Fields priceFields() {
    static const std::array rows = {ask::row(
        "prices", ask::bound<&PriceOption::file>(),
        {"prices",
         "Prices that go before the bundled ones: a JSON file in USD per million tokens,\n"
         R"({"models": {"my-model": {"input": 3, "output": 15, "cache_read": 0.3}}})"
         "\n\"cache_write_5m\" and \"cache_write_1h\" are as \"input\" (of models named claude 1.25 and 2 "
         "times);\n\"NAME-fast\" prices calls in fast mode"},
        {}, {}, {}, {.text = {.form = "FILE"}})};
    return rows;
}

Result<PriceList> resolvePrices(const std::string& file) {
    constexpr std::size_t mostBytes = std::size_t{16} << 20;
    if (file.empty()) {
        return bundledPrices();
    }
    const Result<std::string> text = readWholeFile(file, "the prices", mostBytes);
    if (!text) {
        return text.error();
    }
    auto prices = pricesFromJson(*text, file);
    if (!prices) {
        return prices.error();
    }
    if (prices->source.empty()) {
        prices->source = file;
    }
    return laidOver(bundledPrices(), *prices);
}

} // namespace loadline::app
