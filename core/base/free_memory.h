// Containers that give their memory back.
#pragma once

namespace loadline {

/// Empties the container and frees its memory. `container = {}` keeps the memory: it assigns an empty list.
template <typename Container>
void freeMemory(Container& container) {
    Container().swap(container);
}

} // namespace loadline
