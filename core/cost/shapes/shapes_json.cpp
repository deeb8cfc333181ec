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

/// Reads one of the keys of an enum whose values count from 0 to `last`.
template <typename Enum>
void keyedWord(JsonFields& fields, const char* name, Enum& value, Enum last) {
    std::string key;
    if (fields.text(name, key)) {
        if (const auto known = withKey<Enum>(key, last)) {
            value = *known;
        } else {
            fields.fail(fmt::format("\"{}\" {} is not known", name, key));
        }
    }
}

LayerGemm gemmIn(JsonFields& fields) {
    LayerGemm gemm;
    fields.text("name", gemm.name);
    std::string shape;
    fields.text("shape", shape);
    fields.whole("per_layer", gemm.perLayer, 1, mostLayers);
    fields.whole("layers", gemm.layers, 1, mostLayers);
    fields.whole("experts", gemm.experts, 0, mostExperts);
    if (gemm.grouped()) {
        fields.whole("experts_elsewhere", gemm.expertsElsewhere, 0, mostExperts);
        fields.whole("experts_per_row", gemm.expertsPerRow, 1,
                     std::int64_t{gemm.experts} + gemm.expertsElsewhere, needed);
    } else if (fields.find("experts_elsewhere") != nullptr) {
        fields.fail("\"experts_elsewhere\" needs \"experts\"");
    } else if (fields.find("experts_per_row") != nullptr) {
        fields.fail("\"experts_per_row\" needs \"experts\"");
    }
    fields.truth("quantised", gemm.quantised);
    keyedWord(fields, "part", gemm.part, LayerPart::Head);
    keyedWord(fields, "cut", gemm.cut, WeightCut::KvHeads);
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
    fields.whole("latent_values", facts.latentValues, 0, mostHeadDim);
    fields.refuseOthers();
    if (facts.kind == AttentionKind::SlidingWindow && facts.window == 0) {
        fields.fail("sliding_window needs a \"window\"");
    }
    return facts;
}

ExpertFacts expertsIn(JsonFields& fields) {
    ExpertFacts facts;
    fields.whole("number", facts.experts, 1, mostExperts, needed);
    fields.whole("top_k", facts.topK, 1, mostExperts, needed);
    fields.whole("width", facts.width, 1, mostSide, needed);
    fields.whole("shared_width", facts.sharedWidth, 0, mostSide);
    fields.whole("first_dense_layers", facts.firstDenseLayers, 0, mostLayers);
    fields.truth("fp32_router", facts.fp32Router);
    fields.refuseOthers();
    return facts;
}

MlaFacts mlaIn(JsonFields& fields) {
    MlaFacts facts;
    fields.whole("heads", facts.heads, 1, mostHeads, needed);
    fields.whole("query_rank", facts.queryRank, 0, mostHeadDim);
    fields.whole("kv_rank", facts.kvRank, 1, mostHeadDim, needed);
    fields.whole("nope_dim", facts.nopeDim, 1, mostHeadDim, needed);
    fields.whole("rope_dim", facts.ropeDim, 0, mostHeadDim);
    fields.whole("value_dim", facts.valueDim, 1, mostHeadDim, needed);
    fields.refuseOthers();
    return facts;
}

LinearFacts linearIn(JsonFields& fields) {
    LinearFacts facts;
    fields.whole("k_heads", facts.kHeads, 1, mostHeads, needed);
    fields.whole("v_heads", facts.vHeads, 1, mostHeads, needed);
    fields.whole("k_dim", facts.kDim, 1, mostHeadDim, needed);
    fields.whole("v_dim", facts.vDim, 1, mostHeadDim, needed);
    fields.whole("convolution", facts.convolution, 0, mostHeadDim);
    fields.whole("period", facts.period, 0, mostLayers);
    fields.refuseOthers();
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
    const nlohmann::json* const experts = fields.find("experts");
    const nlohmann::json* const mla = fields.find("mla");
    const nlohmann::json* const linear = fields.find("linear");
    fields.whole("embedding_weights", shapes.embeddingWeights, 0, mostSide * mostSide);
    fields.whole("hidden", shapes.hidden, 0, mostSide);
    fields.whole("vocabulary", shapes.vocabulary, 0, mostSide);
    fields.truth("qk_norm_across_ranks", shapes.qkNormAcrossRanks);
    fields.truth("qk_norm_within_head", shapes.qkNormWithinHead);
    fields.truth("gated_activation", shapes.gatedActivation);
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
    if (experts != nullptr) {
        JsonFields part(*experts, problem, "experts: ");
        shapes.experts = expertsIn(part);
    }
    if (mla != nullptr) {
        JsonFields part(*mla, problem, "mla: ");
        shapes.mla = mlaIn(part);
    }
    if (linear != nullptr) {
        JsonFields part(*linear, problem, "linear: ");
        shapes.linear = linearIn(part);
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
        if (gemm.expertsElsewhere > 0) {
            entry["experts_elsewhere"] = gemm.expertsElsewhere;
        }
    }
    entry["quantised"] = gemm.quantised;
    if (gemm.part != LayerPart::ByName) {
        entry["part"] = keyOf(gemm.part);
    }
    if (gemm.cut != WeightCut::ByName) {
        entry["cut"] = keyOf(gemm.cut);
    }
    return entry;
}

OrderedJson documentOf(const AttentionFacts& facts) {
    OrderedJson entry = {{"kind", keyOf(facts.kind)},       {"layers", facts.layers},
                         {"full_layers", facts.fullLayers}, {"window", facts.window},
                         {"q_heads", facts.qHeads},         {"kv_heads", facts.kvHeads},
                         {"head_dim", facts.headDim},       {"state_bytes", facts.stateBytes}};
    if (facts.latentValues > 0) {
        entry["latent_values"] = facts.latentValues;
    }
    return entry;
}

OrderedJson documentOf(const ExpertFacts& facts) {
    return {{"number", facts.experts},
            {"top_k", facts.topK},
            {"width", facts.width},
            {"shared_width", facts.sharedWidth},
            {"first_dense_layers", facts.firstDenseLayers},
            {"fp32_router", facts.fp32Router}};
}

OrderedJson documentOf(const MlaFacts& facts) {
    return {{"heads", facts.heads},      {"query_rank", facts.queryRank}, {"kv_rank", facts.kvRank},
            {"nope_dim", facts.nopeDim}, {"rope_dim", facts.ropeDim},     {"value_dim", facts.valueDim}};
}

OrderedJson documentOf(const LinearFacts& facts) {
    return {{"k_heads", facts.kHeads}, {"v_heads", facts.vHeads},          {"k_dim", facts.kDim},
            {"v_dim", facts.vDim},     {"convolution", facts.convolution}, {"period", facts.period}};
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
    const auto add = [&text](const char* name, const OrderedJson& value) {
        text += fmt::format(",\n\"{}\": {}", name, compactJson(value));
    };
    if (shapes.hidden > 0) {
        add("hidden", shapes.hidden);
    }
    if (shapes.vocabulary > 0) {
        add("vocabulary", shapes.vocabulary);
    }
    if (shapes.experts) {
        add("experts", documentOf(*shapes.experts));
    }
    if (shapes.mla) {
        add("mla", documentOf(*shapes.mla));
    }
    if (shapes.linear) {
        add("linear", documentOf(*shapes.linear));
    }
    if (shapes.qkNormAcrossRanks) {
        add("qk_norm_across_ranks", true);
    }
    if (shapes.qkNormWithinHead) {
        add("qk_norm_within_head", true);
    }
    if (!shapes.gatedActivation) {
        add("gated_activation", false);
    }
    return text + "\n}\n";
}

} // namespace loadline
