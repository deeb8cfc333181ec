// The row of the study of measured servers.
#include "core/validate/validation_study.h"

namespace loadline::ask {
namespace {

Fields validationFields() {
    static const Field rows[] = {
        {.key = "servers",
         .access = bound<&ValidationQuestion::file>(),
         .words = {.name = "table",
                   .help = "A table of measured servers as CSV, a row each; the manual's page of "
                           "formats lists its columns"},
         .form = {.part = FormPart::Sources, .label = "Measured servers", .editor = "file"},
         .traits = {.text = {"FILE.csv"}}}};
    return rows;
}

Result<Validation> validationBy(const ValidationQuestion& question, const Sources& sources, const Run& run) {
    const auto* const library = sources.get<AtlasLibrary>();
    if (library == nullptr) {
        return Error{"the measured kernel tables are not there", "", "the program's own resources"};
    }
    return validationOf(question, *library, run);
}

constexpr PlotWords validationPlots[] = {
    {"validation-tpot", "TPOT, predicted over measured", "TPOT of measured servers, predicted over measured"},
    {"validation-ttft", "TTFT, predicted over measured",
     "TTFT of measured servers, predicted over measured"}};

} // namespace

Study validationStudy() {
    return studyOf<ValidationQuestion, Validation, validationFields, validationBy, validationReport>(
        {.key = "validate",
         .title = "Measured servers",
         .tip = "How far predictions are from measured servers",
         .needs = Needs::Nothing,
         .plots = validationPlots,
         .examples = "  loadline validate measured_vllm.csv\n"
                     "  loadline validate measured_vllm.csv --json\n",
         .empty = "Name a table of measured servers, a CSV file with a row for each.",
         .room = "validation",
         .icon = "self-check",
         .byPosition = "servers"});
}

} // namespace loadline::ask
