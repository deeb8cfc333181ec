# The packages' control fields, for CPack, which reads this when it runs.
cmake_minimum_required(VERSION 3.25) # for its policies
include(${CPACK_LOADLINE_FILES}/facts.cmake)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${maintainer}")
set(CPACK_DEBIAN_PACKAGE_RELEASE ${release})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_LOADLINE_PACKAGE_NAME loadline)
set(CPACK_DEBIAN_LOADLINE_PACKAGE_SECTION science)
set(CPACK_DEBIAN_LOADLINE_DESCRIPTION "workload explorer for agentic LLM inference
Opens the folders that coding agents log to and shows where the tokens and the
time went: distributions, timelines, cache composition, with the record behind
every number. Reads the logs of inference servers and says whether they are
slow, and why. Simulates continuous batching of such workloads with quantised
weights, and times the kernels of this CPU or GPU for that. The same without a
display on the command line. Nothing is sent anywhere.")
# Opened when it runs rather than linked: Qt's platform plugins, for a display and for exports without one.
execute_process(COMMAND dpkg-query -S */qt6/plugins/platforms/libqxcb.so */qt6/plugins/platforms/libqoffscreen.so
    OUTPUT_VARIABLE owners)
string(REGEX MATCHALL "(^|\n)[^:\n]+" owners "${owners}")
string(REPLACE "\n" "" owners "${owners}")
list(REMOVE_DUPLICATES owners)
list(REMOVE_ITEM owners libqt6gui6 libqt6gui6t64) # linked as well
list(JOIN owners ", " CPACK_DEBIAN_LOADLINE_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_LOADLINE_PACKAGE_RECOMMENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_LOADLINE_PACKAGE_SUGGESTS "libopenblas0, qt6-wayland")

if("cuda" IN_LIST CPACK_COMPONENTS_ALL)
    string(APPEND CPACK_DEBIAN_LOADLINE_PACKAGE_RECOMMENDS ", loadline-cuda")
    set(CPACK_DEBIAN_CUDA_PACKAGE_NAME loadline-cuda)
    set(CPACK_DEBIAN_CUDA_PACKAGE_SECTION non-free/science) # NVIDIA's runtime library is in it
    set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "loadline (= ${CPACK_PACKAGE_VERSION}-${release})")
    set(CPACK_DEBIAN_CUDA_PACKAGE_SUGGESTS "libcuda1, libnvidia-ml1")
    set(CPACK_DEBIAN_CUDA_DESCRIPTION "CUDA kernels for Loadline
Lets Loadline time matrix products of quantised and fp16 weights, and attention
on NVIDIA GPUs of compute capability 8.0 and later. Where there is no driver it
says so, and the CPU is measured as before.")
endif()
