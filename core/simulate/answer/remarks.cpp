// Gathers what stands beside an answer.
#include "core/simulate/answer/remarks.h"

#include "core/cost/kernel/dispatch_reach.h"

#include <algorithm>
#include <cctype>

namespace loadline {
namespace {

std::string asSentence(std::string words) {
    if (!words.empty()) {
        words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    }
    return words + ".";
}

} // namespace

std::vector<std::string> dispatchCutsOf(const SimulationInputs& inputs) {
    const auto isGroupedKBit = [](const LayerGemm& gemm) { return gemm.grouped() && gemm.quantised; };
    return cutsOf(inputs.cost.rule, reachesOf(inputs.profile.get()),
                  std::ranges::any_of(inputs.cost.model.gemms, isGroupedKBit), namingOf(inputs));
}

std::vector<std::string> remarksOf(const SimulationInputs& inputs) {
    return remarksOf(inputs, memoryFitOf(inputs));
}

std::vector<std::string> remarksOf(const SimulationInputs& inputs, const MemoryFit& fit) {
    std::vector<std::string> remarks;
    if (inputs.workload && inputs.workload->outputs.mostlyBounds()) {
        for (const std::string& note : inputs.workload->outputs.notes) {
            remarks.push_back(asSentence(note));
        }
    }
    for (const std::string& cut : dispatchCutsOf(inputs)) {
        remarks.push_back(asSentence(cut));
    }
    if (std::string fp16 = fp16SentenceOf(fit); !fp16.empty()) {
        remarks.push_back(std::move(fp16));
    }
    return remarks;
}

std::string withRemarks(std::string text, const SimulationInputs& inputs, const MemoryFit& fit) {
    std::string all = sentenceOf(fit);
    if (!text.empty() && !fit.isTooLarge()) {
        all += (all.empty() ? "" : " ") + text;
    }
    for (const std::string& remark : remarksOf(inputs, fit)) {
        all += " " + remark;
    }
    return all;
}

} // namespace loadline
