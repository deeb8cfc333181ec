# Writes the revision this tree is at, "-changed" where files differ from it, and the build type into a header:
# for provenance. Run at every build; the header is touched only when it changes. Without git, or in a tree that
# is no repository (but may lie in another one), revision and date are empty texts.
cmake_minimum_required(VERSION 3.25)
set(revision "")
set(date "")
find_program(git git)
if(git AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${git} -C ${SOURCE} describe --always --abbrev=12 --exclude=* --dirty=-changed
        OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${git} -C ${SOURCE} log -1 --format=%cs
        OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT [[#define LOADLINE_REVISION "@revision@"
#define LOADLINE_REVISION_DATE "@date@"
#define LOADLINE_BUILD_TYPE "@BUILD_TYPE@"
]] @ONLY)
