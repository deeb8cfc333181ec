// Fills a cost table: for each GEMM and M, the serving kernel and its time.
#include "core/cost/estimate/cost_model.h"
#include "core/cost/estimate/served_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

constexpr std::int64_t mostRows = std::int64_t{1} << 20;

std::optional<Error> problemOf(const CostSetup& setup) {
    const auto error = [](std::string what, std::string remedy) {
        return Error{.what = std::move(what), .where = "", .remedy = std::move(remedy)};
    };
    if (setup.model.gemms.empty()) {
        return error("the model has no GEMMs", "a shapes preset, for example study");
    }
    for (const LayerGemm& gemm : setup.model.gemms) {
        if (gemm.size.k < 1 || gemm.size.n < 1 || gemm.perLayer < 1 || gemm.layers < 1 || gemm.experts < 0 ||
            (gemm.grouped() && (gemm.expertsPerRow < 1 || gemm.expertsPerRow > gemm.experts))) {
            return error(
                fmt::format("the GEMM \"{}\" has a size or count below 1, or more experts per row than "
                            "experts",
                            gemm.name),
                "sizes of 1 and more");
        }
    }
    if (setup.maxRows < 1 || setup.maxRows > mostRows) {
        return error(fmt::format("a step of {} rows is out of range", setup.maxRows),
                     fmt::format("1 to {} rows", mostRows));
    }
    for (const double scale : setup.timeScale) {
        if (!(scale >= 0 && scale <= maxTimeScale)) {
            return error(
                "a kernel's time is scaled by something that is not a number of 0 to 1\u202f000\u202f000",
                "1");
        }
    }
    if (auto problem = problemOf(setup.rule)) {
        return error("the dispatch rule cannot be used: " + *problem, "one of the presets, or close the gap");
    }
    return std::nullopt;
}

/// How a GEMM's weights are stored.
const StorageSpec& storedAs(const CostSetup& setup, const LayerGemm& gemm) {
    return specOf(gemm.quantised ? setup.format.of(gemm.grouped()) : Storage::Fp16);
}

/// missingToServe() where an engine has the fp16 part of pairs.
std::optional<Error> missingBeside(const EngineKernels& engine, const KernelTimes& times, Kernel kernel,
                                   int kBits) {
    const KernelParts parts = partsOf(kernel);
    return engine.own != nullptr && parts.second ? times.missing(parts.first, kBits)
                                                 : missingToServe(times, kernel, kBits);
}

/// The M (of each expert) from which on no candidate of the fastest reaches; nothing where one always does.
/// Precondition: the kernel that serves every M is missing.
std::optional<std::int64_t> endOfFastest(const KernelTimes& times, const CostSetup& setup, bool grouped,
                                         const EngineKernels& engine) {
    const int kBits = specOf(setup.format.of(grouped)).kBits;
    std::int64_t most = 0;
    for (const Kernel kernel : candidatesOf(setup.rule, grouped)) {
        if (!missingBeside(engine, times, kernel, kBits)) {
            most = std::max(most, times.reaches().at(static_cast<std::size_t>(kernel)).rowsM);
        }
    }
    return most < setup.maxRows ? std::optional(most + 1) : std::nullopt;
}

/// Timed kernels whose absence keeps this rule, cut to their reach, from serving the model; nothing if all
/// are there.
std::optional<Error> missingFor(const KernelTimes& times, const CostSetup& setup, const LayerGemm& gemm,
                                const EngineKernels& engine) {
    const StorageSpec& stored = storedAs(setup, gemm);
    if (stored.kernels == WeightKernels::Library && engine.own == nullptr) {
        return Error{fmt::format("the kernel times hold no {} kernels", stored.name), "",
                     "a GPU of the atlas, as --profile h100-sxm, or k-bit weights"};
    }
    if (engine.fp16 == nullptr) {
        if (auto error = times.missing(fp16Kernel(gemm.grouped()), fp16Bits)) {
            return error;
        }
    }
    if (stored.kernels != WeightKernels::Rule) {
        return std::nullopt;
    }
    std::optional<Error> first;
    bool any = false;
    for (const Kernel kernel : candidatesOf(setup.rule, gemm.grouped())) {
        const auto error = missingBeside(engine, times, kernel, stored.kBits);
        any = any || !error;
        if (error && !first) {
            first = error;
        }
    }
    if (first && !(setup.rule.fastest && any)) {
        return first;
    }
    auto last = missingBeside(engine, times, servesEveryM(gemm.grouped()), stored.kBits);
    if (!last) {
        return std::nullopt;
    }
    std::optional<std::int64_t> end;
    if (setup.rule.fastest) {
        end = endOfFastest(times, setup, gemm.grouped(), engine);
    } else {
        const DispatchRule cut = within(setup.rule, times.reaches());
        for (const KernelRange& range : gemm.grouped() ? cut.grouped : cut.dense) {
            if (range.kernel == servesEveryM(gemm.grouped()) && range.fromM <= setup.maxRows && !end) {
                end = range.fromM;
            }
        }
    }
    if (end) {
        last->what +=
            fmt::format(", and from M = {} on no other kernel was timed or is built to serve", *end);
        last->remedy = fmt::format(
            "times of it, or of another kernel at every M to {}; a smaller token budget; or {}",
            setup.maxRows,
            modellingHelps(*last) ? fmt::format("{}: a roofline for what is missing", modelMissingOption)
                                  : std::string("a named device, for example roofline:H100-SXM"));
    }
    return end ? last : std::nullopt;
}

/// One serving kernel at one M.
struct Served {
    Kernel kernel = Kernel::CublasFp16;
    std::array<TimeEstimate, 2> estimates;
    std::array<Kernel, 2> kernels = {};
    std::uint8_t parts = 0;
    double factorError = 0;
    double ownShare = 1;
    [[nodiscard]] double us() const { return estimates[0].us + (parts > 1 ? estimates[1].us : 0); }
    [[nodiscard]] bool modelled() const {
        return estimates[0].origin == PointOrigin::Modelled ||
               (parts > 1 && estimates[1].origin == PointOrigin::Modelled);
    }
};

/// One GEMM at one M.
struct Work {
    const LayerGemm& gemm;
    std::size_t place = 0; ///< among the model's GEMMs
    double rows = 1;
    ExpertLoad load;
};

class TableMaker {
public:
    TableMaker(const KernelTimes& times, const CostSetup& setup, const EngineKernels& engine)
        : times_(times), setup_(setup), engine_(engine), rule_(within(setup.rule, times.reaches())) {}

    /// Returns the fp16 kernel's time.
    [[nodiscard]] Result<Served> fp16(const Work& work) const {
        return serve(work, fp16Kernel(work.gemm.grouped()), engine_.fp16);
    }

    [[nodiscard]] Result<Served> quantised(const Work& work) const {
        const LayerGemm& gemm = work.gemm;
        switch (storedAs(setup_, gemm).kernels) {
        case WeightKernels::Fp16:
            return serve(work, fp16Kernel(gemm.grouped()), engine_.own);
        case WeightKernels::Library:
            return ofEngine(formOf(Kernel::LibraryGemm, gemm.grouped()),
                            engine_.own->gemm(work.place, work.rows));
        case WeightKernels::Rule:
            break;
        }
        if (engine_.own != nullptr) {
            const TimeEstimate its = engine_.own->gemm(work.place, work.rows);
            if (!(its.us > 0)) { // a kernel of attention does its work
                return ofEngine(fp16Kernel(gemm.grouped()), its);
            }
        }
        return rule_.fastest
                   ? fastest(work)
                   : serve(work, kernelFor(rule_, gemm.grouped(), work.load.rowsPerExpert), engine_.own);
    }

    [[nodiscard]] Served ofEngine(Kernel kernel, TimeEstimate estimate) const {
        estimate.us *= setup_.timeScale.at(static_cast<std::size_t>(kernel));
        return {.kernel = kernel, .estimates = {estimate}, .kernels = {kernel}, .parts = 1};
    }

private:
    /// `engine`: gives fp16 kernels' times; null: the profile does.
    [[nodiscard]] Result<Served> serve(const Work& work, Kernel kernel, const EngineTimes* engine) const {
        const LayerGemm& gemm = work.gemm;
        const bool isFp16 = kernel == fp16Kernel(gemm.grouped());
        if (isFp16 && engine != nullptr) {
            return ofEngine(kernel, engine->gemm(work.place, work.rows));
        }
        const auto time = partsTimeOf(work, kernel, engine);
        if (!time) {
            return time.error();
        }
        Served served{.kernel = kernel,
                      .estimates = time->parts,
                      .kernels = time->kernels,
                      .parts = static_cast<std::uint8_t>(time->count),
                      .factorError = time->factorError,
                      .ownShare = time->ownShare};
        for (std::size_t i = 0; i < served.parts; ++i) {
            const Kernel timed = served.kernels.at(i);
            TimeEstimate& estimate = served.estimates.at(i);
            if (timed == fp16Kernel(gemm.grouped()) && engine != nullptr) {
                estimate = engine->gemm(work.place, work.rows); // a part of a pair
            } else {
                estimate.us *= gemm.calls();
            }
            estimate.us *= setup_.timeScale.at(static_cast<std::size_t>(timed));
        }
        return served;
    }

    /// Returns the kernel's time; of a pair whose fp16 part an engine has, that of the other alone.
    [[nodiscard]] Result<ServedTime> partsTimeOf(const Work& work, Kernel kernel,
                                                 const EngineTimes* engine) const {
        const GemmSize& size = work.gemm.size;
        const ExpertLoad& load = work.load;
        const int kBits = storedAs(setup_, work.gemm).kBits;
        const KernelParts parts = partsOf(kernel);
        if (engine == nullptr || !parts.second) {
            return servedTime(times_, kernel, size, load.activeExperts, load.rowsPerExpert, kBits);
        }
        const auto first = times_.time(parts.first, size, std::max(load.activeExperts, 1.0),
                                       std::max(load.rowsPerExpert, 1.0), kBits);
        if (!first) {
            return first.error();
        }
        return ServedTime{.kernels = {parts.first, *parts.second}, .parts = {*first, {}}, .count = 2};
    }

    [[nodiscard]] Result<Served> fastest(const Work& work) const {
        const LayerGemm& gemm = work.gemm;
        // The fastest of those timed at this shape; where there is none, of those timed at others; else of
        // rooflines.
        std::optional<Served> best;
        std::optional<Error> error;
        for (const Kernel kernel : candidatesOf(rule_, gemm.grouped())) {
            if (!reaches(times_.reaches(), kernel, work.load.rowsPerExpert)) {
                continue;
            }
            const auto served = serve(work, kernel, engine_.own);
            if (!served) {
                error = served.error();
            } else if (!best ||
                       std::pair(distance(*served), served->us()) < std::pair(distance(*best), best->us())) {
                best = *served;
            }
        }
        if (best) {
            return *best;
        }
        return *error;
    }

    /// How far its time is from a timing: 0 of this shape, 1 of other shapes, 2 of no shape (a roofline). In
    /// a profile of a model its points count as timings do: kernels of others put beside them have no
    /// advantage.
    [[nodiscard]] int distance(const Served& served) const {
        const auto untimed = [&](Kernel kernel) {
            const bool isEngines = engine_.own != nullptr && kernel == fp16Kernel(isGrouped(kernel));
            return !isEngines && !times_.isTimed(kernel, specOf(setup_.format.of(isGrouped(kernel))).kBits);
        };
        if (std::any_of(served.kernels.begin(), served.kernels.begin() + served.parts, untimed)) {
            return 2;
        }
        return served.modelled() && !times_.isUnvalidatedModel() ? 1 : 0;
    }

    const KernelTimes& times_;
    const CostSetup& setup_;
    const EngineKernels& engine_;
    DispatchRule rule_; ///< within what the kernels reach
};

} // namespace

Result<CostTable> makeCostTable(const KernelTimes& times, const CostSetup& setup,
                                const EngineKernels& engine) {
    if (auto problem = problemOf(setup)) {
        return *problem;
    }
    for (const LayerGemm& gemm : setup.model.gemms) {
        if (auto missing = missingFor(times, setup, gemm, engine)) {
            return *missing;
        }
    }
    CostTable table;
    table.setup_ = setup;
    for (const LayerGemm& gemm : setup.model.gemms) {
        table.ofHead_.push_back(gemm.isHead());
    }
    const bool hasBeside = engine.isWholeStep && engine.own != nullptr;
    if (hasBeside) {
        table.ofHead_.insert(table.ofHead_.end(), {false, false, true, true});
    }
    table.rows_.reserve(static_cast<std::size_t>(setup.maxRows) * table.ofHead_.size());
    const TableMaker maker(times, setup, engine);
    const auto cellOf = [](Kernel kernel, const TimeEstimate& estimate) {
        return CostTable::Cell{.us = static_cast<float>(estimate.us),
                               .error = static_cast<float>(estimate.relativeError),
                               .kernel = kernel,
                               .kind = estimate.kind,
                               .origin = estimate.origin};
    };
    const auto rowOf = [&](const Served& quantised, const Served& fp16) {
        CostTable::Row row;
        row.serving = quantised.kernel;
        row.parts = quantised.parts;
        row.factorError = static_cast<float>(quantised.factorError);
        row.ownShare = static_cast<float>(quantised.ownShare);
        for (std::size_t i = 0; i < row.parts; ++i) {
            row.quantised.at(i) = cellOf(quantised.kernels.at(i), quantised.estimates.at(i));
        }
        row.fp16 = cellOf(fp16.kernels[0], fp16.estimates[0]);
        return row;
    };
    for (std::int64_t m = 1; m <= setup.maxRows; ++m) {
        const auto rows = static_cast<double>(m);
        for (std::size_t g = 0; g < setup.model.gemms.size(); ++g) {
            const LayerGemm& gemm = setup.model.gemms[g];
            const Work work{.gemm = gemm, .place = g, .rows = rows, .load = expertLoad(gemm, rows)};
            const auto quantised = maker.quantised(work);
            const auto fp16 = maker.fp16(work);
            if (!quantised || !fp16) {
                return quantised ? fp16.error() : quantised.error();
            }
            table.rows_.push_back(rowOf(*quantised, *fp16));
        }
        for (const bool ofHead : hasBeside ? std::vector{false, true} : std::vector<bool>()) {
            for (const Kernel kernel : {Kernel::SmallKernels, Kernel::Transfers}) {
                const auto of = [&](const EngineTimes& its) {
                    return maker.ofEngine(kernel,
                                          ofHead ? its.besideHead(kernel, rows) : its.beside(kernel, rows));
                };
                table.rows_.push_back(
                    rowOf(of(*engine.own), of(engine.fp16 != nullptr ? *engine.fp16 : *engine.own)));
            }
        }
    }
    table.sum();
    return table;
}

} // namespace loadline
