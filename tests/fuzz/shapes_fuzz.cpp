// Any bytes as a model's shapes: what is read can be used, and is written so that it reads back equal.
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/shapes/shapes_json.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace loadline;
    using namespace loadline::fuzz;
    const std::string_view text = fuzz::textOf(data, size);
    if (const auto shape = timedShapeFromText(text)) {
        check(shape->size.k >= 1 && shape->size.n >= 1 && shape->experts >= 1);
        check(timedShapeFromText(loadline::textOf(*shape)) == shape);
    }
    if (const auto sides = gemmSizeFromText(text)) {
        check(gemmSizeFromText(loadline::textOf(*sides)) == sides);
    }
    const Result<ModelShapes> shapes = shapesFromJson(text, "x");
    if (!shapes) {
        checkError(shapes.error());
        return 0;
    }
    check(!problemOf(*shapes));
    for (const std::string& written : {toJson(*shapes), toJsonLine(*shapes)}) {
        check(isShapesText(written));
        const auto again = shapesFromJson(written, "x");
        check(again && *again == *shapes);
    }
    check(isTime(totalWeights(*shapes)) && isTime(weightsPerRow(*shapes)));
    for (const LayerGemm& gemm : shapes->gemms) {
        for (const double rows : {1.0, 7.0, 8192.0}) {
            const ExpertLoad load = expertLoad(gemm, rows);
            check(isTime(load.activeExperts) && isTime(load.rowsPerExpert));
        }
    }
    return 0;
}
