// Finds a model's kernels in the tables, and sums a step's.
#include "core/cost/step/step_model.h"

#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/engine/constants.h"
#include "core/cost/engine/router_times.h"
#include "core/cost/engine/small_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

/// Bytes that small kernels of a layer move for each row: the norms and residuals of the row between layers,
/// the activation of a dense layer, rotary embedding and KV write (spec: measured servers, section 3).
double smallBytesPerRow(const ModelShapes& shard) {
    constexpr double rowTraffic = 16, activationTraffic = 3, headTraffic = 4;
    constexpr int mostRotated = 128;
    double bytes = rowTraffic * static_cast<double>(shard.hidden);
    for (const LayerGemm& gemm : shard.gemms) {
        if (layerPartOf(gemm) == LayerPart::GateUp && !shard.experts) {
            bytes += activationTraffic * static_cast<double>(gemm.size.n) * gemm.perLayer;
        }
    }
    const AttentionFacts& facts = *shard.attention;
    return bytes + headTraffic * (facts.qHeads + facts.kvHeads) * std::min(facts.headDim, mostRotated);
}

InputQuantising quantisingOf(const StepSetup& setup) {
    if (setup.weightFormat == "fp8") {
        return InputQuantising::PerTensor;
    }
    return setup.weightFormat == "fp8_block" || setup.weightFormat == "nvfp4" ? InputQuantising::PerBlock
                                                                              : InputQuantising::None;
}

bool splitsContext(GpuGeneration generation) {
    return generation == GpuGeneration::Hopper || generation == GpuGeneration::BlackwellDataCentre;
}

ServedPart stepPartOf(LayerPart part) {
    return part == LayerPart::Qkv || part == LayerPart::Output ? ServedPart::AttentionGemms
                                                               : ServedPart::FeedForward;
}

Error notInTables(const std::string& what, const std::string& gpu) {
    return {.what = fmt::format("{} has no times of {}", gpu, what), .where = "", .remedy = ""};
}

} // namespace

StepModel::StepModel(std::shared_ptr<const AtlasSurfaces> surfaces, const StepSetup& setup, ModelShapes shard)
    : surfaces_(std::move(surfaces)), setup_(setup), shard_(std::move(shard)),
      bytesPerUs_(constant::bandwidthShare.value * surfaces_->hardware().bandwidthGbS * bytesPerUsOfGbS) {}

Result<std::unique_ptr<StepModel>> StepModel::make(std::shared_ptr<const AtlasSurfaces> surfaces,
                                                   const StepSetup& setup) {
    if (!setup.model.attention || setup.model.hidden == 0) {
        return Error{fmt::format("{}: its attention or hidden size is not known", setup.model.name), "", ""};
    }
    if (setup.model.mla || setup.model.linear) {
        return Error{fmt::format("{}: latent and linear attention are not modelled yet", setup.model.name),
                     "", ""};
    }
    if (setup.model.experts && setup.moeExpertParallel == 1 &&
        setup.moeTensorParallel != setup.tensorParallel) {
        return Error{"experts that data-parallel engines cut among them are not modelled", "", ""};
    }
    Result<ModelShapes> shard =
        shardOf(setup.model, {.tensor = setup.tensorParallel, .expert = setup.moeExpertParallel});
    if (!shard) {
        return shard.error();
    }
    std::unique_ptr<StepModel> model(new StepModel(std::move(surfaces), setup, std::move(*shard)));
    for (const auto find : {&StepModel::findLayers, &StepModel::findExperts, &StepModel::findAttention,
                            &StepModel::findTransfers}) {
        if (const Status found = (model.get()->*find)(); !found) {
            return found.error();
        }
    }
    return model;
}

Status StepModel::findLayers() {
    const Result<const GemmSurface*> quantised = surfaces_->gemms(setup_.weightFormat);
    const Result<const GemmSurface*> plain = surfaces_->gemms("bf16");
    if (!quantised || !plain) {
        return quantised ? plain.error() : quantised.error();
    }
    for (const LayerGemm& gemm : shard_.gemms) {
        if (gemm.grouped()) {
            continue;
        }
        const LayerPart part = layerPartOf(gemm).value_or(LayerPart::GateUp);
        const GemmSurface& surface = gemm.quantised ? **quantised : **plain;
        Layer layer{.curve =
                        surface.curveOf(static_cast<double>(gemm.size.n), static_cast<double>(gemm.size.k)),
                    .part = stepPartOf(part),
                    .calls = gemm.calls()};
        if (layer.curve.empty()) {
            return notInTables(
                fmt::format("{} in {}", gemm.name, gemm.quantised ? setup_.weightFormat : "bf16"),
                surfaces_->atlas().gpu());
        }
        if (part == LayerPart::Head) {
            head_ = std::move(layer);
        } else if (part == LayerPart::Router) {
            router_ = std::move(layer);
        } else {
            layers_.push_back(std::move(layer));
        }
    }
    return Done{};
}

Status StepModel::findExperts() {
    const auto experts = std::ranges::find_if(shard_.gemms, &LayerGemm::grouped);
    const bool hasExperts = experts != shard_.gemms.end();
    bool padsHidden = false;
    if (hasExperts) {
        const Result<const ExpertSurface*> surface = surfaces_->experts();
        if (!surface) {
            return surface.error();
        }
        Result<ServedExperts> served = ServedExperts::make(**surface, setup_, surfaces_->hardware());
        if (!served) {
            return served.error();
        }
        experts_ = std::move(*served);
        expertLayers_ = experts->layers;
        padsHidden = experts_->padsHidden();
    }
    smallKernels_ = smallKernelsPerLayer({.hasExperts = hasExperts,
                                          .quantising = quantisingOf(setup_),
                                          .qkNormAcrossRanks = shard_.qkNormAcrossRanks,
                                          .fp32Router = hasExperts && shard_.experts->fp32Router,
                                          .padsHidden = padsHidden});
    return Done{};
}

Status StepModel::findAttention() {
    const Result<const DecodeSurface*> decode = surfaces_->decode();
    const Result<const PrefillSurface*> prefill = surfaces_->prefill();
    if (!decode || !prefill) {
        return decode ? prefill.error() : decode.error();
    }
    const AttentionFacts& facts = *shard_.attention;
    const Hardware& hardware = surfaces_->hardware();
    const auto add = [&](int layers, std::int64_t window) -> Status {
        if (layers == 0) {
            return Done{};
        }
        const AttentionShape shape{.kv = std::string(keyOf(setup_.engine.kv)),
                                   .heads = facts.qHeads,
                                   .kvHeads = facts.kvHeads,
                                   .headDim = facts.headDim,
                                   .window = window};
        const DecodeCurves* const decoded = (*decode)->find(shape);
        const PrefillCurve* const prefilled = (*prefill)->find(shape);
        if (decoded == nullptr || prefilled == nullptr) {
            return notInTables(fmt::format("attention of {} query and {} KV heads of {} values, window {}",
                                           shape.heads, shape.kvHeads, shape.headDim, window),
                               surfaces_->atlas().gpu());
        }
        const bool splits = splitsContext(hardware.generation);
        const GpuFacts* const gpu = findGpu(hardware.key);
        const int multiprocessors = gpu != nullptr ? gpu->multiprocessors : 0;
        const PrefixRule rule =
            splits ? splitFlashAttention3(multiprocessors) : wavesOfFlashAttention2(multiprocessors);
        const double usPerPair = splits ? (*prefill)->kernelUsPerPair(shape) : prefilled->bestUsPerPair();
        attention_.push_back({.layers = static_cast<double>(layers),
                              .decode = decoded,
                              .prefill = std::make_unique<PrefixedPrefill>(*prefilled, rule, usPerPair)});
        return Done{};
    };
    const Status full = add(facts.fullLayers, 0);
    return full ? add(facts.window > 0 ? facts.layers - facts.fullLayers : 0, facts.window) : full;
}

Status StepModel::findTransfers() {
    if (setup_.tensorParallel == 1) {
        return Done{};
    }
    const Result<const TransferSurface*> reduces = surfaces_->allReduces();
    const Result<const TransferSurface*> collectives = surfaces_->collectives();
    if (!reduces || !collectives) {
        return reduces ? collectives.error() : reduces.error();
    }
    const std::int64_t gpus = setup_.tensorParallel;
    graphReduce_ = (*reduces)->find({.what = "vllm_graph", .gpus = gpus});
    eagerReduce_ = (*reduces)->find({.what = "vllm_eager", .gpus = gpus});
    gather_ = (*collectives)->find({.what = "all_gather", .dtype = "half", .gpus = gpus});
    if (graphReduce_ == nullptr || eagerReduce_ == nullptr || gather_ == nullptr) {
        return notInTables(fmt::format("transfers among {} GPUs", gpus), surfaces_->atlas().gpu());
    }
    return Done{};
}

double StepModel::us(const StepWork& work) {
    double sum = layersAt(work.paddedRows, work.isCaptured).us;
    attend(work, [&sum](ServedPart /*part*/, const SurfaceValue& value, double layers) {
        sum += layers * value.us;
    });
    return work.sampledRows > 0 ? sum + headAt(work.sampledRows).us : sum;
}

StepBreakdown StepModel::parts(const StepWork& work) {
    StepBreakdown sum = layersAt(work.paddedRows, work.isCaptured).parts;
    attend(work, [&sum](ServedPart part, const SurfaceValue& value, double layers) {
        sum.add(part, value, layers);
    });
    if (work.sampledRows > 0) {
        sum += headAt(work.sampledRows).parts;
    }
    return sum;
}

template <typename Take>
void StepModel::attend(const StepWork& work, const Take& take) const {
    for (const Attention& one : attention_) {
        if (work.decodes > 0) {
            const auto batch = static_cast<double>(work.decodes);
            take(ServedPart::Decode, one.decode->at(batch, static_cast<double>(work.decodeContext) / batch),
                 one.layers);
        }
        for (const WorkChunk& chunk : work.chunks) {
            take(ServedPart::Prefill,
                 one.prefill->at(static_cast<double>(chunk.added), static_cast<double>(chunk.cached)),
                 one.layers);
        }
    }
}

template <typename Make>
const StepModel::Rows& StepModel::kept(std::vector<Rows>& rows, Tokens at, const Make& make) {
    constexpr Tokens mostKept = 65'536; // longer steps are rare, and each row takes memory
    const bool isKept = at < mostKept;
    const auto place = isKept ? static_cast<std::size_t>(at) : 0;
    if (place >= rows.size()) {
        rows.resize(place + 1);
    }
    if (!isKept || !rows[place].isMade) {
        const StepBreakdown made = make(static_cast<double>(at));
        rows[place] = {.isMade = isKept, .parts = made, .us = made.total()};
    }
    return rows[place];
}

const StepModel::Rows& StepModel::layersAt(Tokens rows, bool isCaptured) {
    return kept(isCaptured ? captured_ : eager_, rows,
                [&](double count) { return layerParts(count, isCaptured); });
}

const StepModel::Rows& StepModel::headAt(Tokens rows) {
    return kept(heads_, rows, [&](double count) { return headParts(count); });
}

StepBreakdown StepModel::layerParts(double rows, bool isCaptured) const {
    StepBreakdown parts;
    for (const Layer& layer : layers_) {
        parts.add(layer.part, layer.curve.at(rows), layer.calls);
    }
    if (router_) {
        addRouter(parts, rows);
    }
    if (experts_) {
        parts.add(ServedPart::Experts, experts_->at(rows * setup_.dataParallel), expertLayers_);
    }
    addSmallKernels(parts, rows);
    if (setup_.tensorParallel > 1) {
        addAllReduces(parts, rows, isCaptured);
    }
    return parts;
}

void StepModel::addRouter(StepBreakdown& parts, double rows) const {
    const ExpertFacts& facts = *setup_.model.experts;
    const auto hidden = static_cast<double>(shard_.hidden);
    const auto timed =
        facts.fp32Router ? routerTime(surfaces_->hardware().generation, RouterArithmetic::Fp32,
                                      {.hidden = hidden, .experts = static_cast<double>(facts.experts)}, rows)
                         : std::nullopt;
    if (!timed) {
        parts.add(ServedPart::FeedForward, router_->curve.at(rows), router_->calls);
        return;
    }
    constexpr double castBytes = 8; // a row is read and written around its cast to FP32
    const double castUs = castBytes * hidden * rows / bytesPerUs_;
    parts.add(ServedPart::FeedForward,
              timed->isOwnShape ? SurfaceReach::Interpolated : SurfaceReach::Modelled,
              router_->calls * timed->us);
    parts.add(ServedPart::SmallKernels, SurfaceReach::Modelled, router_->calls * castUs);
}

void StepModel::addSmallKernels(StepBreakdown& parts, double rows) const {
    const double each =
        constant::smallKernelUs.value * smallKernels_ + rows * smallBytesPerRow(shard_) / bytesPerUs_;
    parts.add(ServedPart::SmallKernels, SurfaceReach::Modelled, shard_.attention->layers * each);
}

SurfaceValue StepModel::allReduce(double elements, bool isCaptured) const {
    return (isCaptured ? graphReduce_ : eagerReduce_)->at(elements);
}

void StepModel::addAllReduces(StepBreakdown& parts, double rows, bool isCaptured) const {
    const double layers = shard_.attention->layers;
    const SurfaceValue row = allReduce(rows * static_cast<double>(shard_.hidden), isCaptured);
    parts.add(ServedPart::AllReduce, row, 2 * layers + 1); // behind attention, feed-forward and the embedding
    if (shard_.qkNormAcrossRanks) { // a few bytes a row: latency, whatever the elements are
        parts.add(ServedPart::AllReduce, allReduce(2 * rows, isCaptured),
                  layers * qkNormReducesOf(setup_.engine.version));
    }
}

StepBreakdown StepModel::headParts(double rows) const {
    StepBreakdown parts;
    if (!head_) {
        return parts;
    }
    constexpr double logitBytes = 8; // read and written in FP32 or twice in bf16 while sampling
    const double logits = rows * static_cast<double>(setup_.model.vocabulary);
    parts.add(ServedPart::Head, head_->curve.at(rows), head_->calls);
    parts.add(ServedPart::Head, SurfaceReach::Modelled, logitBytes * logits / bytesPerUs_);
    if (gather_ != nullptr) {
        parts.add(ServedPart::Head, gather_->at(logits));
    }
    return parts;
}

} // namespace loadline
