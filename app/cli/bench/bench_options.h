// Options of `loadline bench`, as values.
#pragma once

#include "app/cli/help/command.h"
#include "app/kernels/bench_job.h"

#include <optional>
#include <string>
#include <vector>

namespace loadline::app {

/// `out` may be "-": standard output.
struct BenchOptions : BenchRequest {
    bool list = false;
    bool json = false;
    bool jsonLines = false;
    bool untilInputEnds = false;
    double patienceSeconds = 60; ///< that the device may tell nothing

    std::string modelled;             ///< a GPU that is modelled instead of measured; "": measure
    std::string import;               ///< a file of timings of others; "": measure
    std::vector<std::string> as;      ///< "KERNEL" or "name=KERNEL": what foreign kernels stand for
    std::string into;                 ///< a profile that they are put into
    bool deviceNamed = false;         ///< `device` was given, and is not the default
    std::vector<std::string> compare; ///< two profiles that are compared instead; else empty
};

/// The options, or the exit status when the program is to end here.
std::optional<int> parseBench(const Arguments& arguments, BenchOptions& options);

/// --import: reads the timings of others, puts them into another profile where asked to, and writes; returns
/// the exit status.
int runImport(const BenchOptions& options);

/// --compare: ratios of two profiles, as a Markdown table or a document; returns the exit status.
int runCompare(const BenchOptions& options);

/// --modelled: calculates instead of measuring, and tells what each time is made of; returns the exit status.
int runModelled(const BenchOptions& options);

/// Measures for a person: in a child process, watched, so that no crash, hang or signal loses the points.
/// Shows progress, then the table or the document. However the child ends, its points become a profile: in
/// --out, and where a run that is not complete has none, or it cannot be written, in the folder of profiles.
int measureWatched(const BenchOptions& options);

} // namespace loadline::app
