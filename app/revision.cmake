# Writes the revision this tree is at, "-changed" where files differ from it, into a header: for provenance.
# Run at every build; the header is touched only when it changes. Without git there is an empty text.
cmake_minimum_required(VERSION 3.25)
set(revision "")
find_program(git git)
if(git)
    execute_process(COMMAND ${git} -C ${SOURCE} describe --always --abbrev=12 --exclude=* --dirty=-changed
        OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT [[#define LOADLINE_REVISION "@revision@"
]] @ONLY)
