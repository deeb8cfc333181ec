// Which file a shared API call originates from: resumed and forked sessions copy their history.
#pragma once

#include "core/session/corpus/corpus.h"

#include <vector>

namespace loadline {

/// Calls that the same two or more files hold.
struct SharedBlock {
    std::vector<FileIndex> files; ///< ascending
    std::uint64_t calls = 0;
    FileIndex origin = 0;
    std::uint32_t firstCallInOrigin = 0; ///< index into the origin's calls
    bool ambiguous = false; ///< no file can be named the first: origin is the first in path order
};

/// Sets the home (file, callInFile) of every shared call and the inherited columns of the files, and returns
/// the blocks in order of their first call. Origin: the file that holds no call outside the block (then it is
/// the prefix of the others), else the file whose calls outside the block start earliest; calls that all
/// files of the block hold in common are no evidence (spec section 1.6). Files without other calls are told
/// apart by their user records.
std::vector<SharedBlock> nameOrigins(Corpus& corpus);

} // namespace loadline
