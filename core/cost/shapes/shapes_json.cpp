// Reads "loadline.shapes/1", reports what is wrong with it, and writes it.
#include "core/cost/shapes/shapes_json.h"

#include "core/base/file/read_json.h"
#include "core/cost/shapes/shape_limits.h"
#include "core/text/enum_words.h"
#include "core/text/json/compact_json.h"
#include "core/text/json/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace loadline {
namespace {

constexpr bool needed = JsonFields::needed;

LayerGemm gemmIn(JsonFields& fields) {
    LayerGemm gemm;
    fields.text("name", gemm.name);
    std::string shape;
    fields.text("shape", shape);
    fields.whole("per_layer", gemm.perLayer, 1, mostLayers);
    fields.whole("layers", gemm.layers, 1, mostLayers);
    fields.whole("experts", gemm.experts, 0, mostExperts);
    if (gemm.grouped()) {
        fields.whole("experts_per_row", gemm.expertsPerRow, 1, gemm.experts, needed);
    } else if (fields.find("experts_per_row") != nullptr) {
        fields.fail("\"experts_per_row\" needs \"experts\"");
    }
    fields.truth("quantised", gemm.quantised);
    fields.refuseOthers();
    if (gemm.name.empty()) {
        fields.fail("its \"name\" is missing");
    }
    if (const auto size = gemmSizeFromText(shape)) {
        gemm.size = *size;
    } else {
        fields.fail(fmt::format("the shape \"{}\" is not K x N, like \"2048x5120\"", shape));
    }
    return gemm;
}

AttentionFacts attentionIn(JsonFields& fields) {
    AttentionFacts facts;
    std::string kind;
    fields.text("kind", kind);
    if (kind == "sliding_window") {
        facts.kind = AttentionKind::SlidingWindow;
    } else if (kind == "hybrid_linear") {
        facts.kind = AttentionKind::HybridLinear;
    } else if (!kind.empty() && kind != "grouped") {
        fields.fail(fmt::format("\"kind\" {} is not grouped, sliding_window or hybrid_linear", kind));
    }
    fields.whole("layers", facts.layers, 1, mostLayers, needed);
    facts.fullLayers = facts.layers;
    fields.whole("full_layers", facts.fullLayers, 0, facts.layers);
    fields.whole("window", facts.window, 0, mostWindow);
    fields.whole("q_heads", facts.qHeads, 1, mostHeads, needed);
    fields.whole("kv_heads", facts.kvHeads, 1, std::max(facts.qHeads, 1), needed);
    fields.whole("head_dim", facts.headDim, 1, mostHeadDim, needed);
    fields.number("state_bytes", facts.stateBytes, false,
                  fmt::format("a number of bytes from 0 to {:g}", mostStateBytes),
                  [](double bytes) { return bytes >= 0 && bytes <= mostStateBytes; });
    fields.refuseOthers();
    if (facts.kind == AttentionKind::SlidingWindow && facts.window == 0) {
        fields.fail("sliding_window needs a \"window\"");
    }
    return facts;
}

ModelShapes shapesIn(JsonFields& fields, JsonProblem& problem) {
    ModelShapes shapes;
    std::string schema;
    fields.text("schema", schema);
    if (schema != "loadline.shapes/1") {
        fields.fail("its \"schema\" is not \"loadline.shapes/1\"");
    }
    fields.text("key", shapes.key);
    fields.text("name", shapes.name);
    fields.text("source", shapes.source);
    shapes.key = shapes.key.empty() ? shapes.name : shapes.key;
    shapes.name = shapes.name.empty() ? shapes.key : shapes.name;
    const std::size_t gemms = fields.list("gemms").size();
    const nlohmann::json* const attention = fields.find("attention");
    fields.whole("embedding_weights", shapes.embeddingWeights, 0, mostSide * mostSide);
    fields.refuseOthers();
    if (shapes.name.empty()) {
        fields.fail("its \"name\" is missing");
    }
    if (gemms == 0 || gemms > mostGemms) {
        fields.fail(gemms == 0 ? "its \"gemms\" are missing or empty"
                               : fmt::format("it has more than {} gemms", mostGemms));
    }
    fields.each("gemms", "gemm", [&](JsonFields& entry) {
        shapes.gemms.push_back(gemmIn(entry));
        const std::string& name = shapes.gemms.back().name;
        if (std::ranges::count(shapes.gemms, name, &LayerGemm::name) > 1) {
            entry.fail(fmt::format("the name \"{}\" stands twice", name));
        }
    });
    if (attention != nullptr) {
        JsonFields part(*attention, problem, "attention: ");
        shapes.attention = attentionIn(part);
    }
    return shapes;
}

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

bool isShapesText(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

Result<ModelShapes> shapesFromJson(std::string_view json, const std::string& path) {
    JsonProblem problem;
    const nlohmann::json document = jsonFrom(json);
    JsonFields fields(document, problem);
    ModelShapes shapes = shapesIn(fields, problem);
    if (problem) {
        return problem.error("not a file of shapes: ", path,
                             R"({"schema": "loadline.shapes/1", "name": "mine", "gemms": [{"name": "qkv", )"
                             R"("shape": "4096x6144", "layers": 32}]})");
    }
    return shapes;
}

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
