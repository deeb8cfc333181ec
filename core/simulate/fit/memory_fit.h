// Whether a model fits into the memory of its device, and which device or k would do if it does not.
#pragma once

#include "core/simulate/run/result.h"
#include "core/text/table.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace loadline {

/// A model's weights, and its KV cache if it was looked at, against the device's memory. In bytes.
struct MemoryFit {
    std::string model;  ///< "Llama-3.1-70B"
    std::string device; ///< key of the hardware table
    Storage weights = Storage::K4;
    std::string format; ///< "k = 4", "fp16"
    /// fp16 has runs of its own (FormatPair): what it lacks is in its figures, and no caveat.
    bool fp16IsServed = false;
    double memoryBytes = 0;     ///< of the device; 0: not known
    double weightBytes = 0;     ///< at k; 0: not known, as these shapes are not a whole model's
    double weightFp16Bytes = 0; ///< none quantised
    double kvBytes = 0;         ///< at its peak; 0: not looked at
    std::uint64_t kvTurns = 0;  ///< answered in the runs whose peak it is: more may need more; 0: not told
    /// Share of the memory, if the KV cache takes what weights leave of it (PolicySetup::memoryShare):
    /// kvBytes was then used because it was there, and other weights leave more or less. 0: else.
    double share = 0;
    double leastKvBytes = 0;     ///< with a share: of KV cache, without which no sequence can run
    double longestTurnBytes = 0; ///< of KV cache, of the workload's longest turn
    /// With a share: tokens whose KV cache fits beside the weights at k, and beside fp16's, at most, in
    /// sequences of the workload's mean length (kvCapacityTokens); 0: else.
    Tokens roomTokens = 0, fp16RoomTokens = 0;
    Tokens longestRoomTokens = 0, fp16LongestRoomTokens = 0; ///< the same in sequences as long as the longest
    Tokens longestTurnTokens = 0;                            ///< context, prompt and output; 0: no workload
    double meanTurnTokens = 0;                               ///< over the workload's turns
    double meanConversationTokens = 0; ///< the same with contexts, also where turns are served without them
    std::int64_t conversations = 1; ///< under way at the same time, as asked for: the users of a closed loop
    /// The largest k below that is not refused, and leaves room for the longest turn; 0: none, k itself, or
    /// weights that no k names.
    int fittingKBits = 0;
    /// Weights at minKBits to maxKBits; filled where the weights do not fit.
    std::array<double, maxKBits - minKBits + 1> weightsAt{};
    /// The device of the table, of the device's kind, with the least memory in which the model is not refused
    /// and the longest turn has room; null: none.
    const Hardware* fittingDevice = nullptr;

    [[nodiscard]] double neededBytes() const { return weightBytes + kvBytes; }

    /// Returns the memory that weights and KV cache share, in bytes.
    [[nodiscard]] double roomBytes() const { return (share > 0 ? share : 1) * memoryBytes; }

    [[nodiscard]] bool known() const { return memoryBytes > 0 && weightBytes > 0; }

    /// Return nothing if known() is false.
    [[nodiscard]] std::optional<bool> fits() const;
    [[nodiscard]] std::optional<bool> fp16Fits() const;

    /// The weights alone are too large, or leave nothing of their share for the KV cache: no run on this
    /// device can be like the simulated one.
    [[nodiscard]] bool isTooLarge() const { return known() && leavesTooLittle(weightBytes); }

    /// True if such weights leave nothing, or less than leastKvBytes.
    [[nodiscard]] bool leavesTooLittle(double weights) const {
        return weights >= roomBytes() || weights + leastKvBytes > roomBytes();
    }

    bool operator==(const MemoryFit&) const = default;
};

/// Shapes that say nothing of attention may be a part of a model only (one layer, as the published study's):
/// of those nothing is known. `kvBytes`: KvNeed::peakBytes.
MemoryFit memoryFitOf(const SimulationInputs& inputs, double kvBytes = 0);
/// Returns the fit with the KV cache as these runs, pooled, filled it: not looked at if their policy counts
/// no blocks.
MemoryFit memoryFitOf(const SimulationInputs& inputs, const SimulationResult& runs);
/// Returns the fit of other weights.
MemoryFit memoryFitOf(SimulationInputs inputs, Storage weights, double kvBytes);

/// "Llama-3.1-70B at k = 4 does not fit: its weights take 35.8 GiB of the RTX4090's 24 GiB. At k = 2 they
/// take 19.8 GiB; at k = 4 the L40S (48 GiB) holds them."; "" where it fits or nobody knows.
std::string misfitSentence(const MemoryFit& fit);
/// Returns misfitSentence() in few words: "does not fit: needs 35.8 GiB of 24 GiB"; "" where it fits or
/// nobody knows.
std::string needWordsOf(const MemoryFit& fit);
/// Users whose conversations, of the workload's mean length each, fit beside the weights at once; 0 where the
/// weights do not. None: nobody knows, or the KV cache does not take what the weights leave.
std::optional<std::int64_t> usersThatFit(const MemoryFit& fit);
/// "fp16 does not fit: ...", of the baseline, or that its weights leave less for the KV cache than k used;
/// "" where neither is so, nobody knows, k does not fit either, or fp16ShortfallOf tells more.
std::string fp16SentenceOf(const MemoryFit& fit);

/// A clause of the verdict and its reason where fp16, in the same memory, could not serve what is asked for:
/// "fp16 could not serve this: fp16's weights leave at most 54.4 k tokens of KV (k = 4: 133 k), and
/// conversations average 89.4 k". Looked at in this order: the mean turn, all conversations at once where k
/// has room for them, the longest turn. "" where fp16 has the room, nobody knows, or k does not fit either.
std::string fp16ShortfallOf(const MemoryFit& fit);

/// True if fp16's weights do not fit, or leave less for the KV cache than k used: its times are of steps that
/// it could not run.
bool fp16LacksMemory(const MemoryFit& fit);

/// Returns "true", "false", or nothing if it is not known: for tables.
Cell fitCell(const std::optional<bool>& fits);

} // namespace loadline
