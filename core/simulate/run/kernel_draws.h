// Kernel times as their error bars may have them, and how far these move what is simulated.
#pragma once

#include "core/simulate/run/replica.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// Times by M of one table, as the error bars may have it.
struct RowTimes {
    TimesByRows kBit, fp16;

    /// `other`: the table of the format compared with, where it has runs of its own; null: the fp16 column.
    explicit RowTimes(const CostTable& table, const CostTable* other = nullptr);
    [[nodiscard]] GemmTime of(const ReplicaRows& rows) const;
};

/// `count` draws of a table's times (CostTable::drawn), in parallel; of `other` with the same seeds, so that
/// a kernel that both use moves in both alike. Fewer when stopped.
std::vector<RowTimes> drawnTimes(const CostTable& table, const CostTable* other, std::size_t count,
                                 std::uint64_t seed, unsigned threads = 0, const std::stop_token& stop = {});

/// How far the error bars of kernel times move a ratio of times.
struct KernelError {
    double deviation = 0; ///< standard deviation of the ratio's logarithm over the draws
    /// Share of the GEMM time, of both sides together, whose kernel times come without an error bar: those of
    /// an unvalidated model.
    double withoutBar = 0;
    bool atGivenRate = false; ///< of turns that are served as fast as they come, whatever kernels take
    bool operator==(const KernelError&) const = default;
};

/// Standard deviations from the middle to the ends of an interval that holds 95 %, or 90 %.
inline constexpr double z95 = 1.959964;
inline constexpr double z90 = 1.644854;

/// The interval that the error bars of kernel times alone leave about a value.
Banded kernelBand(double value, double deviation, double z = z95);
/// An interval of chance in the runs and the one of the kernel times together. They err apart, so that the
/// squares of both add in logarithms. Unchanged where deviation is 0; infinite ends stay.
Banded withKernelError(const Banded& runs, double deviation, double z = z95);
/// "chance in the runs and the error of the kernel times; 30.0 % of the GEMM time is modelled, without the
/// model's own error"
std::string wordsOf(const KernelError& error);

/// Draws of the tables of several formats, all with the same seeds.
class KernelDraws {
public:
    /// Number of draws from which a crossover's intervals are made.
    static constexpr std::size_t usualCount = 64;

    /// `against`: compared with each of them in runs of its own; none: fp16 on the same batches alone.
    KernelDraws(std::shared_ptr<const CostTables> tables, std::vector<Format> formats,
                const std::optional<Format>& against, std::uint64_t seed, unsigned threads = 0,
                const std::stop_token& stop = {});

    /// Returns the error of the ratio of these runs: if isPaired, to the other format's. A format that was
    /// not drawn has none.
    [[nodiscard]] KernelError errorOf(const Format& format, const ReplicaRows& rows) const;
    /// Returns the error of the runs' own time alone: of the tokens and turns a second that a format can
    /// serve.
    [[nodiscard]] KernelError clockErrorOf(const Format& format, const ReplicaRows& rows) const;

private:
    /// Times of a format, and of fp16 on the same batches; null where no draw was made of it.
    [[nodiscard]] const std::vector<RowTimes>* timesOf(const Format& format) const;

    std::shared_ptr<const CostTables> tables_;
    std::map<Format, std::vector<RowTimes>> drawn_; ///< empty lists: without any error bar
    std::optional<Format> against_;
};

} // namespace loadline
