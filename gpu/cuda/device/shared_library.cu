// Opening libraries by the system's loader.
#include "gpu/cuda/device/shared_library.cuh"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace loadline::gpu {

bool SharedLibrary::open(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (handle_ != nullptr) {
            break;
        }
#ifdef _WIN32
        handle_ = reinterpret_cast<void*>(LoadLibraryA(name.c_str()));
#else
        handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
#endif
        name_ = name;
    }
    return handle_ != nullptr;
}

void* SharedLibrary::symbolOf(const char* symbol) const {
    if (handle_ == nullptr) {
        return nullptr;
    }
#ifdef _WIN32
    return reinterpret_cast<void*>(GetProcAddress(reinterpret_cast<HMODULE>(handle_), symbol));
#else
    return dlsym(handle_, symbol);
#endif
}

} // namespace loadline::gpu
