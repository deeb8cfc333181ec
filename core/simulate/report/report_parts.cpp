// Columns of formats, quantiles, kernels, memory and intervals.
#include "core/simulate/report/report_parts.h"

#include "core/ask/table_of.h"

#include <cmath>

namespace loadline::ask {

Cell bytesCell(double bytes) {
    return only(bytes > 0, std::llround(bytes));
}

Cell usersThatFitCell(const MemoryFit& fit) {
    return usersThatFit(fit);
}

Cell endsOf(const PairedRatio& ratio) {
    return ratio.low ? Cell(Interval{*ratio.low, *ratio.high}) : Cell();
}

std::vector<Column> formatColumns(const std::string& prefix,
                                  std::function<const Format&(std::size_t row)> of) {
    return {columnAt(prefix + "weights", [of](std::size_t row) { return specOf(of(row).weights).key; }),
            columnAt(prefix + "kv", [of](std::size_t row) { return specOf(of(row).kv).key; }),
            columnAt(prefix + "experts", [of](std::size_t row) { return specOf(of(row).experts).key; })};
}

std::vector<Column> weightsColumns(const std::function<Storage(std::size_t row)>& of) {
    std::vector<Column> columns = {
        columnAt("k", [of](std::size_t row) { return kOf(of(row)); }),
        columnAt("weights", [of](std::size_t row) { return only(!kOf(of(row)), specOf(of(row)).key); })};
    columns.back().omitsEmpty = true;
    return columns;
}

std::vector<Column> quantileColumns(const std::string& prefix,
                                    const std::function<const Quantiles&(std::size_t row)>& of) {
    std::vector<Column> columns = {columnAt(prefix + "n", [of](std::size_t row) { return of(row).n; })};
    for (const auto& [key, value] : {std::pair("mean", &Quantiles::mean), std::pair("p50", &Quantiles::p50),
                                     std::pair("p90", &Quantiles::p90), std::pair("p99", &Quantiles::p99)}) {
        columns.push_back(columnAt(
            prefix + key, [of, value](std::size_t row) { return only(of(row).n > 0, of(row).*value); }));
    }
    return columns;
}

std::vector<Column>
kernelColumns(const std::string& prefix,
              const std::function<const std::array<double, kernelCount>&(std::size_t row)>& of) {
    std::vector<Column> columns;
    for (const Kernel kernel : allKernels) {
        const bool always =
            kernel == Kernel::Scalar || kernel == Kernel::Mma || kernel == Kernel::DequantCublas;
        columns.push_back(
            columnAt(prefix + std::string(keyOf(kernel)), [of, kernel, always](std::size_t row) {
                const double share = of(row)[static_cast<std::size_t>(kernel)];
                return only(always || share > 0, share);
            }));
        columns.back().omitsEmpty = !always;
    }
    return columns;
}

std::vector<Column> memoryColumns(const std::function<MemoryFit(std::size_t row)>& of) {
    return {
        columnAt("fits", [of](std::size_t row) { return of(row).fits(); }),
        columnAt("memory_needed_bytes",
                 [of](std::size_t row) {
                     const MemoryFit fit = of(row);
                     return only(fit.weightBytes > 0, bytesCell(fit.neededBytes()));
                 }),
        columnAt("memory_available_bytes", [of](std::size_t row) { return bytesCell(of(row).memoryBytes); }),
        columnAt("fp16_fits", [of](std::size_t row) { return of(row).fp16Fits(); }),
        columnAt("fp16_shortfall", [of](std::size_t row) { return fp16ShortfallOf(of(row)); })};
}

void addFormat(Report& report, const std::string& path, const Format& format) {
    report.addRow(path, formatColumns("", [&format](std::size_t) -> const Format& { return format; }));
}

void addQuantiles(Report& report, const std::string& path, const Quantiles& quantiles) {
    report.addRow(path, quantileColumns("", [&](std::size_t) -> const Quantiles& { return quantiles; }));
}

void addMemory(Report& report, const MemoryFit& fit) {
    report.addRow("", memoryColumns([&fit](std::size_t) { return fit; }));
}

NamedInterval namedInterval(std::string name, Cell whole, Cell runs, double value, const KernelError& error,
                            double z) {
    return {
        std::move(name),  std::move(whole),
        std::move(runs),  error.deviation > 0 ? Cell(endsOf(kernelBand(value, error.deviation, z))) : Cell(),
        error.withoutBar, wordsOf(error)};
}

std::vector<Column> partColumns(const std::string& prefix,
                                const std::function<NamedInterval(std::size_t row)>& of) {
    std::vector<Column> columns = {
        columnAt(prefix + "runs", [of](std::size_t row) { return of(row).runs; }),
        columnAt(prefix + "kernel_times", [of](std::size_t row) { return of(row).kernelTimes; }),
        columnAt(prefix + "without_error_share", [of](std::size_t row) { return of(row).withoutError; }),
        columnAt(prefix + "of", [of](std::size_t row) { return of(row).of; })};
    columns[2].omitsEmpty = true;
    return columns;
}

void addIntervals(Report& report, const std::string& path, const std::vector<NamedInterval>& intervals) {
    report.add(TableOf(path, report.keep(intervals), Shape::Map)
                   .document("name", &NamedInterval::name)
                   .document("interval", &NamedInterval::whole));
}

void addParts(Report& report, const std::string& path, const std::vector<NamedInterval>& intervals) {
    const auto& held = report.keep(intervals);
    report.add(TableOf(path, held, Shape::MapRows)
                   .document("name", &NamedInterval::name)
                   .with(partColumns("", [&held](std::size_t row) { return held[row]; })));
}

void addQuantileTable(Report& report, const char* title, Form form,
                      std::vector<std::pair<const char*, Quantiles>> rows) {
    std::erase_if(rows, [](const auto& row) { return row.second.n == 0; });
    using Row = std::pair<const char*, Quantiles>;
    TableOf table("", report.keep(std::move(rows)));
    table.titled(title).textColumn("", &Row::first, Form::Text);
    for (const auto& [name, value] : {std::pair("Mean", &Quantiles::mean), std::pair("p50", &Quantiles::p50),
                                      std::pair("p90", &Quantiles::p90), std::pair("p99", &Quantiles::p99)}) {
        table.textColumn(
            name, [value](const Row& row) { return row.second.*value; }, form);
    }
    report.add(std::move(table));
}

} // namespace loadline::ask
