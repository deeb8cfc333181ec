// Checks of a prepared point: its output on the device against float64.
#include "core/base/random.h"
#include "gpu/cuda/cuda_check.h"
#include "gpu/cuda/cuda_work.h"
#include "gpu/format/fragment_layout.h"
#include "gpu/format/kv_block.h"
#include "gpu/format/layout.h"
#include "gpu/format/packed_weights.h"
#include "gpu/host/kernel/half.h"
#include "gpu/host/reference.h"

#include <algorithm>
#include <span>

namespace loadline::gpu {

namespace {

constexpr std::int64_t checkedRows = 64;
constexpr std::int64_t checkedExperts = 8;
constexpr std::int64_t checkedQueries = 4;

/// `count` of 0 .. n - 1 in rising order, the first and the last among them; all where there are no more.
std::vector<std::int64_t> someOf(std::int64_t n, std::int64_t count, std::uint64_t seed) {
    std::vector<std::int64_t> chosen;
    if (n <= count) {
        for (std::int64_t i = 0; i < n; ++i) {
            chosen.push_back(i);
        }
        return chosen;
    }
    chosen = {0, n - 1};
    const RandomStream random(seed);
    for (std::uint64_t at = 0; static_cast<std::int64_t>(chosen.size()) < count; ++at) {
        const std::int64_t next = below(static_cast<std::uint32_t>(n), random.at(at));
        if (std::find(chosen.begin(), chosen.end(), next) == chosen.end()) {
            chosen.push_back(next);
        }
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

/// Reads a point's buffers; after the first failure nothing more.
class PointReader {
public:
    PointReader(const CudaPluginApi& api, CudaSession* session) : api_(api), session_(session) {}

    template <class Values>
    void read(CudaBuffer buffer, int index, std::int64_t first, Values& to) {
        using Value = typename Values::value_type;
        const auto size = static_cast<std::int64_t>(sizeof(Value));
        if (status == CudaStatus::Ok) {
            status = api_.read(session_, buffer, index, first * size,
                               static_cast<std::int64_t>(to.size()) * size, to.data());
        }
    }
    std::vector<float> halves(CudaBuffer buffer, int index, std::int64_t first, std::int64_t count) {
        std::vector<std::uint16_t> read16(static_cast<std::size_t>(count));
        read(buffer, index, first, read16);
        std::vector<float> values(read16.size());
        std::transform(read16.begin(), read16.end(), values.begin(), floatOfHalf);
        return values;
    }

    CudaStatus status = CudaStatus::Ok;

private:
    const CudaPluginApi& api_;
    CudaSession* session_;
};

/// Rows of a matrix of k-bit weights, in bands of rows that lie together.
class BandReader {
public:
    BandReader(PointReader& reader, const KBitShape& shape, Layout layout, int copy, int expert)
        : reader_(reader), shape_(shape), copy_(copy), expert_(expert),
          bandRows_(layout == Layout::PlanesFlat  ? 1
                    : layout == Layout::Fragments ? fragmentStripRows
                                                  : shape.n) {
        band_.shape = {shape.k, bandRows_, shape.bits};
        band_.layout = layout;
        const PackedSize size = packedSizeOf(band_.shape, layout);
        band_.words.resize(static_cast<std::size_t>(size.words));
        band_.absmaxBytes.resize(static_cast<std::size_t>(size.scales));
    }

    std::vector<double> row(std::int64_t row) {
        if (const std::int64_t band = row / bandRows_; band != at_) {
            const PackedSize whole = packedSizeOf(shape_, band_.layout);
            reader_.read(CudaBuffer::Weights, copy_,
                         expert_ * whole.words + band * static_cast<std::int64_t>(band_.words.size()),
                         band_.words);
            reader_.read(CudaBuffer::Scales, copy_,
                         expert_ * whole.scales + band * static_cast<std::int64_t>(band_.absmaxBytes.size()),
                         band_.absmaxBytes);
            at_ = band;
        }
        return weightsOfRow(band_, row % bandRows_);
    }

private:
    PointReader& reader_;
    KBitShape shape_;
    int copy_;
    int expert_;
    std::int64_t bandRows_;
    PackedWeights band_;
    std::int64_t at_ = -1;
};

/// Values of y that were looked at, and what they should be.
struct Looked {
    std::vector<float> values;
    Expected expected;

    void add(const std::vector<float>& more, const Expected& right) {
        values.insert(values.end(), more.begin(), more.end());
        expected.values.insert(expected.values.end(), right.values.begin(), right.values.end());
        expected.allowed.insert(expected.allowed.end(), right.allowed.begin(), right.allowed.end());
    }
};

class PointCheck {
public:
    PointCheck(PointReader& reader, const PointSpec& spec, const CudaWork& work, int node, std::uint64_t seed)
        : reader_(reader), spec_(spec), kernel_(*cudaKernelOf(spec.kernel)), copy_(node % work.copies),
          set_(node % work.activationSets), n_(work.n), seed_(seed) {}

    Looked look() {
        if (spec_.kernel == Kernel::Dequantise) {
            lookAtWeights();
            return std::move(looked_);
        }
        const std::vector<std::int64_t> experts = someOf(spec_.experts, checkedExperts, seed_);
        const std::int64_t each = checkedRows / static_cast<std::int64_t>(experts.size());
        for (const std::int64_t expert : experts) {
            lookAtExpert(expert, someOf(n_, each, seed_ + 1), someOf(spec_.rowsM, each, seed_ + 2));
        }
        return std::move(looked_);
    }

private:
    void lookAtWeights() {
        BandReader rows(reader_, {spec_.size.k, n_, spec_.kBits}, kernel_.layout, copy_, 0);
        for (const std::int64_t row : someOf(n_, checkedRows, seed_)) {
            looked_.add(reader_.halves(CudaBuffer::Y, set_, row * spec_.size.k, spec_.size.k),
                        expectedWeights(rows.row(row)));
        }
    }

    /// `columns` of y for some rows of one expert.
    void lookAtExpert(std::int64_t expert, const std::vector<std::int64_t>& columns,
                      const std::vector<std::int64_t>& rows) {
        const std::int64_t k = spec_.size.k;
        std::vector<double> weights;
        BandReader bands(reader_, {k, n_, spec_.kBits}, kernel_.layout, copy_, static_cast<int>(expert));
        for (const std::int64_t column : columns) {
            if (readsKBits(spec_.kernel)) {
                const std::vector<double> row = bands.row(column);
                weights.insert(weights.end(), row.begin(), row.end());
            } else {
                const std::vector<float> row =
                    reader_.halves(CudaBuffer::Weights, copy_, (expert * n_ + column) * k, k);
                weights.insert(weights.end(), row.begin(), row.end());
            }
        }
        std::vector<float> x;
        std::vector<float> y;
        for (const std::int64_t m : rows) {
            // Routed rows choose the experts in turn; of a batched GEMM each expert's lie together.
            const std::int64_t row = kernel_.routed ? m * spec_.experts + expert : expert * spec_.rowsM + m;
            const std::vector<float> rowOfX = reader_.halves(CudaBuffer::X, set_, row * k, k);
            x.insert(x.end(), rowOfX.begin(), rowOfX.end());
            const std::vector<float> rowOfY = reader_.halves(CudaBuffer::Y, set_, row * n_, n_);
            for (const std::int64_t column : columns) {
                y.push_back(rowOfY[static_cast<std::size_t>(column)]);
            }
        }
        looked_.add(y, expectedProduct(weights, x, k));
    }

    PointReader& reader_;
    PointSpec spec_;
    const CudaKernelSpec& kernel_;
    int copy_;
    int set_;
    std::int64_t n_; ///< rows of W: of one expert, of Dequantise of all
    std::uint64_t seed_;
    Looked looked_;
};

/// One sequence's keys or values for one KV head: `cache` 0 or 1.
std::vector<std::uint16_t> headOfCache(PointReader& reader, const AttentionCall& call, int copy, int cache,
                                       const std::vector<std::int32_t>& table, std::int64_t kvHead) {
    const std::int64_t headDim = call.heads.headDim;
    const std::int64_t ofBlock = kvBlockTokens * call.heads.kvHeads * headDim;
    const std::int64_t blocks = call.batch * static_cast<std::int64_t>(table.size());
    std::vector<std::uint16_t> block(static_cast<std::size_t>(ofBlock));
    std::vector<std::uint16_t> head;
    for (const std::int32_t place : table) {
        reader.read(CudaBuffer::Weights, copy, (cache * blocks + place) * ofBlock, block);
        for (int token = 0; token < kvBlockTokens; ++token) {
            const auto from = block.begin() + (token * call.heads.kvHeads + kvHead) * headDim;
            head.insert(head.end(), from, from + headDim);
        }
    }
    return head;
}

Looked lookAtAttention(PointReader& reader, const AttentionCall& call, const CudaWork& work, int node,
                       std::uint64_t seed) {
    const int copy = node % work.copies;
    const int set = node % work.activationSets;
    const RandomStream random(seed);
    const std::int64_t sequence = below(static_cast<std::uint32_t>(call.batch), random.at(0));
    const std::int64_t kvHead = below(static_cast<std::uint32_t>(call.heads.kvHeads), random.at(1));
    const std::int64_t ofSequence = tilesOf(call.keys(), kvBlockTokens);
    std::vector<std::int32_t> table(static_cast<std::size_t>(ofSequence));
    reader.read(CudaBuffer::KvTable, 0, sequence * ofSequence, table);
    const std::vector<std::uint16_t> keys = headOfCache(reader, call, copy, 0, table, kvHead);
    const std::vector<std::uint16_t> values = headOfCache(reader, call, copy, 1, table, kvHead);
    const AttentionHeads heads{call.heads.qHeads / call.heads.kvHeads, 1, call.heads.headDim};
    const std::int64_t length = std::int64_t{heads.qHeads} * heads.headDim;
    Looked looked;
    for (const std::int64_t query : someOf(call.queries(), checkedQueries, seed)) {
        const std::int64_t first =
            ((sequence * call.queries() + query) * call.heads.kvHeads + kvHead) * length;
        const std::int64_t seen = call.keys() - call.queries() + query + 1;
        const auto seenHalves = static_cast<std::size_t>(seen * heads.headDim);
        const std::vector<float> q = reader.halves(CudaBuffer::X, set, first, length);
        const std::vector<float> y = reader.halves(CudaBuffer::Y, set, first, length);
        looked.add(y,
                   expectedAttention(referenceAttention(heads, 1, seen, q, std::span(keys).first(seenHalves),
                                                        std::span(values).first(seenHalves)),
                                     heads.headDim));
    }
    return looked;
}

/// `look` takes a PointReader.
template <class Look>
Result<CheckOutcome> compared(const CudaPluginApi& api, CudaSession* session, const Look& look) {
    PointReader reader(api, session);
    const Looked looked = look(reader);
    std::int64_t left = 0;
    if (reader.status == CudaStatus::Ok) {
        reader.status = api.sumsLeft(session, &left);
    }
    if (reader.status != CudaStatus::Ok) {
        return failedCheck(api, session, reader.status, "reading the output back");
    }
    return withSumsLeft(outcomeOf(looked.values, looked.expected), left);
}

} // namespace

Result<CheckOutcome> checkPrepared(const CudaPluginApi& api, CudaSession* session, const PointSpec& spec,
                                   const CudaWork& work, int node, std::uint64_t seed) {
    return compared(api, session,
                    [&](PointReader& reader) { return PointCheck(reader, spec, work, node, seed).look(); });
}

Result<CheckOutcome> checkPrepared(const CudaPluginApi& api, CudaSession* session, const AttentionCall& call,
                                   const CudaWork& work, int node, std::uint64_t seed) {
    return compared(api, session,
                    [&](PointReader& reader) { return lookAtAttention(reader, call, work, node, seed); });
}

} // namespace loadline::gpu
