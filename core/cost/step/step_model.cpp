// Finds a model's kernels in the tables, and sums a step's.
#include "core/cost/step/step_model.h"

#include "core/cost/engine/constants.h"
#include "core/cost/engine/router_times.h"
#include "core/cost/engine/small_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

ServedPart stepPartOf(LayerPart part) {
    switch (part) {
    case LayerPart::Qkv:
    case LayerPart::Output:
    case LayerPart::Latent:
    case LayerPart::Linear:
        return ServedPart::AttentionGemms;
    default:
        return ServedPart::FeedForward;
    }
}

} // namespace

StepModel::StepModel(std::shared_ptr<const AtlasSurfaces> surfaces, const StepSetup& setup, ModelShapes shard)
    : surfaces_(std::move(surfaces)), setup_(setup), shard_(std::move(shard)),
      bytesPerUs_(constant::bandwidthShare.value * surfaces_->hardware().bandwidthGbS * bytesPerUsOfGbS) {}

Result<std::unique_ptr<StepModel>> StepModel::make(std::shared_ptr<const AtlasSurfaces> surfaces,
                                                   const StepSetup& setup) {
    if (!setup.model.attention || setup.model.hidden == 0) {
        return Error{fmt::format("{}: its attention or hidden size is not known", setup.model.name), "",
                     "the shapes of a model"};
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
    for (std::size_t place = 0; place < shard_.gemms.size(); ++place) {
        const LayerGemm& gemm = shard_.gemms[place];
        if (gemm.grouped() || isTimedWithAttention(gemm)) {
            continue;
        }
        const LayerPart part = layerPartOf(gemm).value_or(LayerPart::GateUp);
        const GemmSurface& surface = gemm.quantised ? **quantised : **plain;
        Layer layer{.gemm = place,
                    .curve =
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
    kernels_ = layerKernelsOf(setup_, shard_, padsHidden);
    return Done{};
}

Status StepModel::findAttention() {
    Result<std::vector<AttentionLayers>> found = servedAttentionOf(*surfaces_, setup_, shard_);
    if (!found) {
        return found.error();
    }
    attention_ = std::move(*found);
    return Done{};
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
        Error error = notInTables(fmt::format("transfers among {} GPUs", gpus), surfaces_->atlas().gpu());
        error.remedy = "fewer GPUs";
        return error;
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
    for (const auto& [layers, attention] : attention_) {
        if (work.decodes > 0) {
            const auto batch = static_cast<double>(work.decodes);
            take(ServedPart::Decode,
                 attention->decode(batch, static_cast<double>(work.decodeContext) / batch), layers);
        }
        for (const WorkChunk& chunk : work.chunks) {
            take(ServedPart::Prefill,
                 attention->prefill(static_cast<double>(chunk.added), static_cast<double>(chunk.cached)),
                 layers);
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
        parts.add(ServedPart::FeedForward, routerAt(rows), router_->calls);
    }
    if (experts_) {
        parts.add(ServedPart::Experts, experts_->at(rows * setup_.dataParallel), expertLayers_);
    }
    parts += besideAt(rows, isCaptured);
    return parts;
}

StepBreakdown StepModel::besideAt(double rows, bool isCaptured) const {
    StepBreakdown parts;
    if (router_) {
        parts.add(ServedPart::SmallKernels, SurfaceReach::Modelled, router_->calls * routerCastUs(rows));
    }
    addSmallKernels(parts, rows);
    if (setup_.tensorParallel > 1) {
        addAllReduces(parts, rows, isCaptured);
    }
    return parts;
}

SurfaceValue StepModel::gemmAt(std::size_t gemm, double rows) const {
    const auto all = [](SurfaceValue value, double calls) {
        value.us *= calls;
        return value;
    };
    if (shard_.gemms[gemm].grouped() && experts_) {
        const auto weightsOf = [](const LayerGemm& one) { return one.size.elements() * one.calls(); };
        double weights = 0;
        for (const LayerGemm& one : shard_.gemms) {
            weights += one.grouped() ? weightsOf(one) : 0;
        }
        return all(experts_->at(rows * setup_.dataParallel),
                   expertLayers_ * weightsOf(shard_.gemms[gemm]) / weights);
    }
    if (router_ && router_->gemm == gemm) {
        return all(routerAt(rows), router_->calls);
    }
    if (head_ && head_->gemm == gemm) {
        return all(head_->curve.at(rows), head_->calls);
    }
    const auto found = std::ranges::find(layers_, gemm, &Layer::gemm);
    return found == layers_.end() ? SurfaceValue{.us = 0} : all(found->curve.at(rows), found->calls);
}

SurfaceValue StepModel::attentionOf(const StepWork& work) const {
    SurfaceValue sum;
    double errorUs = 0;
    attend(work, [&](ServedPart /*part*/, const SurfaceValue& value, double layers) {
        sum.us += layers * value.us;
        errorUs += layers * value.us * value.relativeError;
        sum.reach = std::max(sum.reach, value.reach);
    });
    sum.relativeError = sum.us > 0 ? errorUs / sum.us : 0;
    return sum;
}

std::optional<RouterTime> StepModel::fp32RouterAt(double rows) const {
    const ExpertFacts& facts = *setup_.model.experts;
    return facts.fp32Router ? routerTime(surfaces_->hardware().generation, RouterArithmetic::Fp32,
                                         {.hidden = static_cast<double>(shard_.hidden),
                                          .experts = static_cast<double>(facts.experts)},
                                         rows)
                            : std::nullopt;
}

SurfaceValue StepModel::routerAt(double rows) const {
    const std::optional<RouterTime> timed = fp32RouterAt(rows);
    return timed ? SurfaceValue{.us = timed->us,
                                .reach =
                                    timed->isOwnShape ? SurfaceReach::Interpolated : SurfaceReach::Modelled}
                 : router_->curve.at(rows);
}

double StepModel::routerCastUs(double rows) const {
    constexpr double castBytes = 8; // a row is read and written around its cast to FP32
    return fp32RouterAt(rows) ? castBytes * static_cast<double>(shard_.hidden) * rows / bytesPerUs_ : 0;
}

void StepModel::addSmallKernels(StepBreakdown& parts, double rows) const {
    parts.add(ServedPart::SmallKernels, SurfaceReach::Modelled,
              constant::smallKernelUs.value * kernels_.count + rows * kernels_.bytesPerRow / bytesPerUs_);
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
    parts.add(ServedPart::Head, head_->curve.at(rows), head_->calls);
    const StepBreakdown beside = besideHeadAt(rows);
    for (std::size_t reach = 0; reach < reachCount; ++reach) {
        const auto at = static_cast<SurfaceReach>(reach);
        parts.add(ServedPart::Head, at, beside.of(at));
    }
    return parts;
}

StepBreakdown StepModel::besideHeadAt(double rows) const {
    StepBreakdown parts;
    if (!head_) {
        return parts;
    }
    constexpr double logitBytes = 8; // read and written in FP32 or twice in bf16 while sampling
    const double logits = rows * static_cast<double>(setup_.model.vocabulary);
    parts.add(ServedPart::Head, SurfaceReach::Modelled, logitBytes * logits / bytesPerUs_);
    if (gather_ != nullptr) {
        parts.add(ServedPart::AllReduce, gather_->at(logits));
    }
    return parts;
}

} // namespace loadline
