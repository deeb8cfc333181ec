// bench --modelled: what a GPU's times would be and what each is made of, as text, document and profile.
#include "app/cli/bench/bench_options.h"
#include "app/cli/terminal/output.h"
#include "app/options/cost_option.h"
#include "core/base/file/write_file.h"
#include "core/cost/analytic/modelled_report.h"
#include "core/cost/profile/profile_json.h"
#include "core/text/counted.h"

#include <fmt/format.h>

namespace loadline::app {

int runModelled(const BenchOptions& options) {
    if (const Status possible = canWriteOutputs({options.out}); !possible) {
        return fail(possible.error());
    }
    if (const Status free = refuseToOverwrite({&options.out, 1}, {&options.shapes, 1}); !free) {
        return fail(free.error());
    }
    const Result<const GpuFacts*> gpu = resolveGpu(options.modelled);
    if (!gpu) {
        return fail(gpu.error());
    }
    const Result<ModelShapes> shapes = resolveShapes(options.shapes);
    if (!shapes) {
        return fail(shapes.error());
    }
    if (!options.out.empty()) {
        const Profile profile = modelledProfile(**gpu, shapes->gemms, options.kBits);
        if (const Status written = writeOutput(options.out, toJson(profile)); !written) {
            return fail(written.error());
        }
        if (options.out == standardOutput) {
            return exitDone;
        }
        say(fmt::format("{} in {}", counted(profile.points.size(), "point"), options.out));
    }
    const ModelledKernels modelled = modelledKernels(**gpu, *shapes, options.kBits);
    return printReport(ask::modelledReport(modelled), options.json);
}

} // namespace loadline::app
