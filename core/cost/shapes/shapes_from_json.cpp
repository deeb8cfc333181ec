// Reads "loadline.shapes/1", and says what is wrong with it.
#include "core/base/read_json.h"
#include "core/cost/shapes/shape_limits.h"
#include "core/cost/shapes/shapes_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace loadline {
namespace {

using Json = nlohmann::json;

/// The reading of one document: the first thing that is wrong ends it.
class ShapesReader {
public:
    explicit ShapesReader(const std::string& path) : path_(path) {}

    Result<ModelShapes> read(std::string_view text) {
        const Json document = jsonFrom(text);
        if (document.is_discarded() || !document.is_object()) {
            fail(document.is_discarded() ? "it is not JSON" : "it is not a JSON object");
            return *error_;
        }
        if (textOf(document, "schema") != "loadline.shapes/1") {
            fail("its \"schema\" is not \"loadline.shapes/1\"");
            return *error_;
        }
        knowsKeys(document, {"schema", "key", "name", "source", "gemms", "attention"});
        ModelShapes shapes;
        shapes.key = textOf(document, "key");
        shapes.name = textOf(document, "name");
        shapes.source = textOf(document, "source");
        shapes.key = shapes.key.empty() ? shapes.name : shapes.key;
        shapes.name = shapes.name.empty() ? shapes.key : shapes.name;
        if (shapes.name.empty()) {
            fail("its \"name\" is missing");
        }
        readGemms(document, shapes);
        where_ = "attention: ";
        if (const auto part = document.find("attention"); part != document.end() && !part->is_null()) {
            shapes.attention = attentionOf(*part);
        }
        if (error_) {
            return *error_;
        }
        return shapes;
    }

private:
    void fail(const std::string& what) {
        if (!error_) {
            error_ = Error{.what = "not a file of shapes: " + where_ + what,
                           .where = path_,
                           .remedy =
                               R"({"schema": "loadline.shapes/1", "name": "mine", "gemms": [{"name": "qkv", )"
                               R"("shape": "4096x6144", "layers": 32}]})"};
        }
    }

    void knowsKeys(const Json& object, std::initializer_list<std::string_view> known) {
        for (const auto& [key, value] : object.items()) {
            if (std::ranges::find(known, key) == known.end()) {
                fail(fmt::format("\"{}\" is not a known key", key));
            }
        }
    }

    std::string textOf(const Json& object, const char* key) {
        const auto found = object.find(key);
        if (found == object.end()) {
            return "";
        }
        if (!found->is_string()) {
            fail(fmt::format("\"{}\" is not text", key));
            return "";
        }
        return found->get<std::string>();
    }

    template <typename T>
    void whole(const Json& object, const char* key, std::int64_t low, std::int64_t high, T& value,
               bool needed = false) {
        const auto found = object.find(key);
        if (found == object.end() && !needed) {
            return;
        }
        const bool number = found != object.end() && found->is_number_integer();
        const double given = number ? found->get<double>() : -1;
        if (!number || given < static_cast<double>(low) || given > static_cast<double>(high)) {
            fail(fmt::format("\"{}\" is not a whole number from {} to {}", key, low, high));
            return;
        }
        value = found->get<T>();
    }

    void readGemms(const Json& document, ModelShapes& shapes) {
        const auto gemms = document.find("gemms");
        if (gemms == document.end() || !gemms->is_array() || gemms->empty()) {
            fail("its \"gemms\" are missing or empty");
            return;
        }
        if (gemms->size() > mostGemms) {
            fail(fmt::format("it has more than {} gemms", mostGemms));
            return;
        }
        for (const Json& entry : *gemms) {
            where_ = fmt::format("gemm {}: ", shapes.gemms.size() + 1);
            shapes.gemms.push_back(gemmOf(entry));
            const std::string& name = shapes.gemms.back().name;
            if (std::ranges::count(shapes.gemms, name, &LayerGemm::name) > 1) {
                fail(fmt::format("the name \"{}\" stands twice", name));
            }
        }
    }

    LayerGemm gemmOf(const Json& entry) {
        LayerGemm gemm;
        if (!entry.is_object()) {
            fail("it is not an object");
            return gemm;
        }
        knowsKeys(entry, {"name", "shape", "per_layer", "layers", "experts", "experts_per_row", "quantised"});
        gemm.name = textOf(entry, "name");
        if (gemm.name.empty()) {
            fail("its \"name\" is missing");
        }
        const std::string shape = textOf(entry, "shape");
        if (const auto size = gemmSizeFromText(shape)) {
            gemm.size = *size;
        } else {
            fail(fmt::format("the shape \"{}\" is not K x N, like \"2048x5120\"", shape));
        }
        whole(entry, "per_layer", 1, mostLayers, gemm.perLayer);
        whole(entry, "layers", 1, mostLayers, gemm.layers);
        whole(entry, "experts", 0, mostExperts, gemm.experts);
        if (gemm.grouped()) {
            whole(entry, "experts_per_row", 1, gemm.experts, gemm.expertsPerRow, true);
        } else if (entry.contains("experts_per_row")) {
            fail("\"experts_per_row\" needs \"experts\"");
        }
        if (const auto quantised = entry.find("quantised"); quantised != entry.end()) {
            if (quantised->is_boolean()) {
                gemm.quantised = quantised->get<bool>();
            } else {
                fail("\"quantised\" is neither true nor false");
            }
        }
        return gemm;
    }

    AttentionFacts attentionOf(const Json& part) {
        AttentionFacts facts;
        if (!part.is_object()) {
            fail("it is not an object");
            return facts;
        }
        knowsKeys(part, {"kind", "layers", "full_layers", "window", "q_heads", "kv_heads", "head_dim",
                         "state_bytes"});
        const std::string kind = textOf(part, "kind");
        if (kind == "sliding_window") {
            facts.kind = AttentionKind::SlidingWindow;
        } else if (kind == "hybrid_linear") {
            facts.kind = AttentionKind::HybridLinear;
        } else if (!kind.empty() && kind != "grouped") {
            fail(fmt::format("\"kind\" {} is not grouped, sliding_window or hybrid_linear", kind));
        }
        whole(part, "layers", 1, mostLayers, facts.layers, true);
        facts.fullLayers = facts.layers;
        whole(part, "full_layers", 0, facts.layers, facts.fullLayers);
        whole(part, "window", 0, mostWindow, facts.window);
        whole(part, "q_heads", 1, mostHeads, facts.qHeads, true);
        whole(part, "kv_heads", 1, std::max(facts.qHeads, 1), facts.kvHeads, true);
        whole(part, "head_dim", 1, mostHeadDim, facts.headDim, true);
        if (const auto bytes = part.find("state_bytes"); bytes != part.end()) {
            facts.stateBytes = bytes->is_number() ? bytes->get<double>() : -1;
            if (!(facts.stateBytes >= 0) || facts.stateBytes > mostStateBytes) {
                fail(fmt::format("\"state_bytes\" is not a number of bytes from 0 to {:g}", mostStateBytes));
            }
        }
        if (facts.kind == AttentionKind::SlidingWindow && facts.window == 0) {
            fail("sliding_window needs a \"window\"");
        }
        return facts;
    }

    const std::string& path_;
    std::string where_; // what is being read
    std::optional<Error> error_;
};

} // namespace

bool isShapesText(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

Result<ModelShapes> shapesFromJson(std::string_view json, const std::string& path) {
    return ShapesReader(path).read(json);
}

} // namespace loadline
