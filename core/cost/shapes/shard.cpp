// Divides every size of a model, and reports the first that cannot be divided.
#include "core/cost/shapes/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace loadline {
namespace {

/// The kind of number that cannot be shared: decides the remedy.
enum class Unshared : std::uint8_t { ByTensor, ByExpert, UnknownPart };

/// Cuts a model; problem() tells what could not be shared.
class ShardCutter {
public:
    ShardCutter(const ModelShapes& model, Parallel parallel)
        : whole_(model), name_(model.name.empty() ? model.key : model.name), parallel_(parallel),
          shard_(model) {
        cutHeads();
        for (LayerGemm& gemm : shard_.gemms) {
            cutGemm(gemm);
        }
        cutFacts();
    }

    [[nodiscard]] const std::string& problem() const { return problem_; } ///< "": none
    [[nodiscard]] Unshared kind() const { return kind_; }                 ///< of the problem

    ModelShapes take() { return std::move(shard_); }

private:
    void fail(std::string problem, Unshared kind = Unshared::ByTensor) {
        if (problem_.empty()) {
            problem_ = std::move(problem);
            kind_ = kind;
        }
    }

    /// Returns `count` / `gpus`; a remainder is the problem.
    template <typename Whole>
    Whole share(Whole count, int gpus, const std::string& what, Unshared kind = Unshared::ByTensor) {
        if (count % gpus != 0) {
            fail(fmt::format("{} has {} {}, which {} GPUs cannot share evenly", name_, count, what, gpus),
                 kind);
        }
        return count / gpus;
    }

    int kvHeadsOfShard(int heads) {
        if (heads < 1) {
            fail(fmt::format("{} has no KV heads", name_));
            return 0;
        }
        if (parallel_.tensor <= heads) {
            return share(heads, parallel_.tensor, "KV heads");
        }
        if (parallel_.tensor % heads != 0) {
            fail(fmt::format("{} has {} KV heads, of which {} GPUs cannot hold equally many copies", name_,
                             heads, parallel_.tensor));
        }
        return 1;
    }

    void cutHeads() {
        const int tensor = parallel_.tensor;
        if (tensor > 1 && !shard_.attention) {
            fail(fmt::format("the attention heads of {} are not known, so GPUs cannot share them", name_));
        }
        if (shard_.attention) {
            AttentionFacts& facts = *shard_.attention;
            facts.qHeads = share(facts.qHeads, tensor, "query heads");
            facts.kvHeads = facts.latentValues > 0 ? facts.kvHeads : kvHeadsOfShard(facts.kvHeads);
            facts.stateBytes /= tensor;
        }
        if (shard_.mla) {
            shard_.mla->heads = share(shard_.mla->heads, tensor, "heads");
        }
        if (shard_.linear) {
            shard_.linear->kHeads = share(shard_.linear->kHeads, tensor, "key heads of linear attention");
            shard_.linear->vHeads = share(shard_.linear->vHeads, tensor, "value heads of linear attention");
        }
    }

    void cutGemm(LayerGemm& gemm) {
        if (gemm.grouped() && parallel_.expert > 1) {
            const int here = share(gemm.experts, parallel_.expert, "experts", Unshared::ByExpert);
            gemm.expertsElsewhere += gemm.experts - here;
            gemm.experts = here;
            return;
        }
        if (parallel_.tensor == 1) {
            return;
        }
        const auto part = layerPartOf(gemm);
        const auto cut = weightCutOf(gemm);
        if (!part || !cut) {
            fail(fmt::format("of the GEMM {} of {} it is not known which part of a layer it is", gemm.name,
                             name_),
                 Unshared::UnknownPart);
            return;
        }
        if (*cut == WeightCut::Columns) {
            cutColumns(gemm, *part);
        } else if (*cut == WeightCut::Rows) {
            gemm.size.k = share(gemm.size.k, parallel_.tensor, "rows of " + gemm.name);
        } else if (*cut == WeightCut::KvHeads) {
            cutQueriesAndKv(gemm);
        }
    }

    void cutColumns(LayerGemm& gemm, LayerPart part) {
        if (part == LayerPart::Head) {
            gemm.size.n = vocabularyOfShard(gemm.size.n);
            return;
        }
        const bool paired =
            shard_.gatedActivation &&
            (part == LayerPart::GateUp || part == LayerPart::Expert || part == LayerPart::SharedExpert);
        const int sides = paired ? 2 : 1; // gate and up are cut alike
        const std::string what = "columns of " + gemm.name;
        gemm.size.n = sides * share(share(gemm.size.n, sides, what), parallel_.tensor, what);
    }

    /// Columns of queries, then of keys and values; or of keys, values or both alone.
    void cutQueriesAndKv(LayerGemm& gemm) {
        if (!whole_.attention || whole_.attention->kvHeads < 1 || !problem_.empty()) {
            return; // already reported
        }
        const AttentionFacts& facts = *whole_.attention;
        const std::int64_t both = std::int64_t{2} * facts.kvHeads * facts.headDim;
        const std::int64_t kv = std::min(gemm.size.n, both);
        const std::int64_t ofHead = share(kv, facts.kvHeads, "KV columns of " + gemm.name);
        gemm.size.n = share(gemm.size.n - kv, parallel_.tensor, "query columns of " + gemm.name) +
                      ofHead * shard_.attention->kvHeads;
    }

    /// Returns the rows of an embedding, or the columns of a head, that one GPU has.
    std::int64_t vocabularyOfShard(std::int64_t tokens) {
        return parallel_.tensor == 1
                   ? tokens
                   : share(paddedVocabulary(tokens), parallel_.tensor, "tokens of the vocabulary");
    }

    void cutFacts() {
        const int tensor = parallel_.tensor;
        const std::int64_t rows = shard_.hidden > 0 ? shard_.embeddingWeights / shard_.hidden : 0;
        shard_.embeddingWeights = rows * shard_.hidden == shard_.embeddingWeights
                                      ? vocabularyOfShard(rows) * shard_.hidden
                                      : share(shard_.embeddingWeights, tensor, "weights of the embedding");
        shard_.vocabulary = vocabularyOfShard(shard_.vocabulary);
        if (shard_.experts) {
            ExpertFacts& facts = *shard_.experts;
            facts.experts = share(facts.experts, parallel_.expert, "experts", Unshared::ByExpert);
            facts.width =
                parallel_.expert > 1 ? facts.width : share(facts.width, tensor, "columns of an expert");
            facts.sharedWidth = share(facts.sharedWidth, tensor, "columns of the shared experts");
        }
    }

    const ModelShapes& whole_;
    const std::string& name_;
    Parallel parallel_;
    ModelShapes shard_;
    std::string problem_;
    Unshared kind_ = Unshared::ByTensor;
};

/// "1", "1 or 2", "1, 2 or 4".
std::string oneOfSizes(const std::vector<int>& sizes) {
    std::string text;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == sizes.size() ? " or " : ", ", sizes[i]);
    }
    return text;
}

int expertsOf(const ModelShapes& model) {
    int experts = 0;
    for (const LayerGemm& gemm : model.gemms) {
        experts = std::max(experts, gemm.experts);
    }
    return experts;
}

/// Returns the sizes of expert parallelism that go with one of tensor parallelism.
std::vector<int> expertSizesOf(const ModelShapes& model, int tensor) {
    std::vector<int> sizes = {1};
    const int experts = expertsOf(model);
    for (int size = std::max(tensor, 2); size <= std::min(experts, mostParallel); size += tensor) {
        if (ShardCutter(model, {tensor, size}).problem().empty()) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

Error refusedExperts(const ModelShapes& model, int tensor, std::string what) {
    return {.what = std::move(what),
            .where = "",
            .remedy = "an expert parallel size of " + oneOfSizes(expertSizesOf(model, tensor))};
}

} // namespace

std::int64_t paddedVocabulary(std::int64_t tokens) {
    constexpr std::int64_t multiple = 64; // DEFAULT_VOCAB_PADDING_SIZE of vLLM's vocab_parallel_embedding.py
    return (tokens + multiple - 1) / multiple * multiple;
}

std::vector<int> tensorSizesOf(const ModelShapes& model) {
    std::vector<int> sizes = {1};
    const int heads = model.attention ? model.attention->qHeads : 1;
    for (int size = 2; size <= std::min(heads, mostParallel); ++size) {
        if (ShardCutter(model, {.tensor = size}).problem().empty()) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

Result<ModelShapes> shardOf(const ModelShapes& model, Parallel parallel) {
    for (const auto& [name, size] :
         {std::pair("tensor", parallel.tensor), std::pair("expert", parallel.expert)}) {
        if (size < 1 || size > mostParallel) {
            return Error{fmt::format("the {} parallel size is {}", name, size), "",
                         fmt::format("1 to {}", mostParallel)};
        }
    }
    if (parallel == Parallel{}) {
        return model;
    }
    if (parallel.expert > 1 && expertsOf(model) == 0) {
        return refusedExperts(model, parallel.tensor, model.name + " has no experts that GPUs could share");
    }
    if (parallel.expert > 1 && parallel.expert % parallel.tensor != 0) {
        return refusedExperts(
            model, parallel.tensor,
            fmt::format("an expert parallel size of {} is no multiple of the tensor parallel "
                        "size {}",
                        parallel.expert, parallel.tensor));
    }
    ShardCutter cutter(model, parallel);
    if (cutter.problem().empty()) {
        return cutter.take();
    }
    switch (cutter.kind()) {
    case Unshared::ByExpert:
        return refusedExperts(model, parallel.tensor, cutter.problem());
    case Unshared::UnknownPart:
        return Error{cutter.problem(), "", "its \"part\" and \"cut\" in the file of shapes, or one GPU"};
    case Unshared::ByTensor:
        break;
    }
    return Error{cutter.problem(), "", "a tensor parallel size of " + oneOfSizes(tensorSizesOf(model))};
}

} // namespace loadline
