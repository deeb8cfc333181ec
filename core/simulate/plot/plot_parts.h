// Parts that the plots of simulations share: curves over users, words of their points, kernels' inks.
#pragma once

#include "core/cost/kernel/kernel_ink.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/simulate/fit/memory_fit.h"
#include "core/simulate/plot/simulation_plots.h"
#include "core/text/table.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace loadline {

inline constexpr const char* previewWords = "a preview: refined when the hand rests";
inline constexpr const char* twinTable = "twin"; ///< path of the table of a plot's CSV

/// A report of one plot with this table as its CSV.
ask::Report reportOf(ask::Plot plot, Table twin);

/// A serving kernel by name; an fp16 one with the GEMMs that it serves: "fp16 cuBLAS (lm_head)".
std::string servingWords(Kernel kernel, const SimulationInputs& inputs);

/// "17 users", "0.5 turns a second"
std::string loadWords(const SweepPoint& point);
/// "0.84"; of a preview "about 0.8"
std::string shareOfFp16Words(double ratio, bool preview = false);
/// Returns the quantity that SweepPoint::measure holds: "turns per second / fp16's", "time / fp16 time".
std::string measureTitle(std::span<const SweepPoint> points, const Format& against = fp16Format);
/// One point, a line each: turns per second against the other format and both TTFT, or the time.
std::vector<std::string> measureWords(const SweepPoint& point, bool preview,
                                      const Format& against = fp16Format);
/// "fp16", or "fp16: does not fit" where that is known.
/// "fp16", with a word where it does not fit; another format compared with by its name alone.
std::string fp16Words(const MemoryFit& fit, const Format& against = fp16Format);
std::string linesOf(const std::vector<std::string>& lines); ///< with line ends between

/// Users, or turns a second, up to `most` where that is more than these reach.
ask::Axis usersAxis(std::span<const SweepPoint> points, double most = 0);
/// Says why there is no curve over users, or over a rate.
std::string whyNothingVaries(const SimulatorFigure& figure);
/// The scale of the measures of points around 1.
ask::Scale ratioScale(const std::vector<std::span<const SweepPoint>>& curves);

using PointValue = std::function<Banded(const SweepPoint&)>;
using PointWords = std::function<std::string(const SweepPoint&)>;

/// How a curve over users is drawn.
struct CurveStyle {
    std::string path = {}; ///< of its table, and its column of values
    ask::Ink ink = ask::Ink::Text;
    std::string legend = {};
    bool band = false, dots = false, dashed = false;
    bool preview = false;  ///< all its points are
    bool modelled = false; ///< parts whose times are mostly modelled are dotted
    std::string name = {}; ///< at its end
    double grade = 1;      ///< of Ink::Graded
};

/// Adds the marks of a curve and their table. Points without a value are left out. `words`: read out; may be
/// empty.
void addCurve(ask::Report& report, ask::Plot& plot, const CurveStyle& style,
              std::span<const SweepPoint> points, const PointValue& value, const PointWords& words = {});
/// A legend's entry of an ink that only some rows have.
void addLegend(ask::Report& report, ask::Plot& plot, std::string words, ask::Ink ink, ask::Basis basis);
/// Dots of one ink at places, with whiskers where there are others.
struct DotAt {
    double x = 0, y = 0;
    std::string words = {};
};
void addDots(ask::Report& report, ask::Plot& plot, std::string path, ask::Ink ink, ask::Basis basis,
             std::vector<DotAt> dots, std::string legend = {});

/// The line of the present users, which is dragged, or of the present rate, which is not.
ask::Rule loadRule(const SettingShown& shown);
/// The present users or rate.
double loadOf(const SettingShown& shown);
bool isPreview(const SettingShown& shown);
/// A share; of a preview in whole per cent.
std::string percentWords(const SettingShown& shown, double share);
/// The figures of both, or of the one.
Table joinedWith(const SettingShown& shown, Table (*tableOf)(const SimulatorFigure&));

inline constexpr const char* latencyTitle = "Throughput and latencies";
/// Throughput and latencies of a trace: panels of bars.
ask::Report replayReport(const SettingShown& shown);

/// Weights by k and of fp16 as bars against the device's memory; `inShort`: only what does not fit, in words.
/// Precondition: fit.isTooLarge().
ask::Report memoryReport(std::string key, std::string title, std::string sentence, const MemoryFit& fit,
                         bool inShort = false);

} // namespace loadline
