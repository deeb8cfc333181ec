// Writes "loadline.shapes/1".
#include "core/cost/shapes/shapes_json.h"
#include "core/text/enum_words.h"
#include "core/text/json/compact_json.h"

#include <nlohmann/json.hpp>

namespace loadline {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string_view keyOf(AttentionKind kind) {
    return wordOf(kind, {"grouped", "sliding_window", "hybrid_linear"});
}

OrderedJson documentOf(const LayerGemm& gemm) {
    OrderedJson entry;
    entry["name"] = gemm.name;
    entry["shape"] = textOf(gemm.size);
    entry["per_layer"] = gemm.perLayer;
    entry["layers"] = gemm.layers;
    if (gemm.grouped()) {
        entry["experts"] = gemm.experts;
        entry["experts_per_row"] = gemm.expertsPerRow;
    }
    entry["quantised"] = gemm.quantised;
    return entry;
}

OrderedJson documentOf(const AttentionFacts& facts) {
    return {{"kind", keyOf(facts.kind)}, {"layers", facts.layers},         {"full_layers", facts.fullLayers},
            {"window", facts.window},    {"q_heads", facts.qHeads},        {"kv_heads", facts.kvHeads},
            {"head_dim", facts.headDim}, {"state_bytes", facts.stateBytes}};
}

} // namespace

std::string toJsonLine(const ModelShapes& shapes) {
    std::string line = toJson(shapes);
    std::erase(line, '\n'); // within texts they are escaped
    return line;
}

std::string toJson(const ModelShapes& shapes) {
    std::string text = "{\n\"schema\": \"loadline.shapes/1\",\n";
    text += "\"key\": " + compactJson(shapes.key) + ",\n\"name\": " + compactJson(shapes.name) + ",\n";
    text += "\"source\": " + compactJson(shapes.source) + ",\n\"gemms\": [\n";
    for (std::size_t i = 0; i < shapes.gemms.size(); ++i) {
        text += compactJson(documentOf(shapes.gemms[i])) + (i + 1 < shapes.gemms.size() ? ",\n" : "\n");
    }
    text += "]";
    if (shapes.attention) {
        text += ",\n\"attention\": " + compactJson(documentOf(*shapes.attention));
    }
    if (shapes.embeddingWeights > 0) {
        text += ",\n\"embedding_weights\": " + std::to_string(shapes.embeddingWeights);
    }
    return text + "\n}\n";
}

} // namespace loadline
