# Makes below TO what an installation has beside the program: manual pages and completions of its own help, icons,
# AppStream metadata, the changelog; and facts.cmake, which says what the packages are called.
cmake_minimum_required(VERSION 3.25)

function(run)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    set(output "${output}" PARENT_SCOPE)
endfunction()

# git(VARIABLE DEFAULT FORMAT...): a fact of the last commit; the default in a tree that is no repository.
find_program(git git)
function(git variable default)
    set(${variable} "${default}" PARENT_SCOPE)
    if(git AND EXISTS ${SOURCE}/.git)
        execute_process(COMMAND ${git} -C ${SOURCE} log -1 ${ARGN}
            OUTPUT_VARIABLE fact OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
        if(NOT failed AND fact)
            set(${variable} "${fact}" PARENT_SCOPE)
        endif()
    endif()
endfunction()

# Without git, of the day: SOURCE_DATE_EPOCH (which string(TIMESTAMP) takes) or now.
string(TIMESTAMP stamp "%Y%m%d%H%M" UTC)
string(TIMESTAMP day "%Y-%m-%d" UTC)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
git(stamp ${stamp} --format=%cd --date=format-local:%Y%m%d%H%M)
git(day ${day} --format=%cd --date=format-local:%Y-%m-%d)
git(date ${date} --format=%cD)
git(maintainer "Loadline maintainers <maintainers@loadline.example>" "--format=%an <%ae>")
git(commit "a tree without its history" "--format=commit %h")

# Later commits make later packages, of a version that stays until it is released.
set(release 1+${stamp})
file(REMOVE_RECURSE ${TO})
file(CONFIGURE OUTPUT ${TO}/facts.cmake CONTENT [[set(release "@release@")
set(maintainer "@maintainer@")
]] @ONLY)
configure_file(${HERE}/loadline.metainfo.xml.in ${TO}/share/metainfo/loadline.metainfo.xml @ONLY)
run(${DRAW_ICONS} ${SOURCE}/resources/loadline.svg ${TO}/share/icons/hicolor)

# page(NAME WORD...): the manual page that the program prints of itself when it gets these words.
function(page name)
    run(${PROGRAM} ${ARGN} --help=man)
    file(WRITE ${TO}/share/man/man1/${name}.1 "${output}")
    run(gzip -9n ${TO}/share/man/man1/${name}.1)
endfunction()
page(loadline)
run(${PROGRAM} --help)
string(REGEX MATCH "Commands:\n(.*)\n\nOptions:" _ "${output}")
string(REGEX MATCHALL "(^|\n)  [a-z]+" commands "${CMAKE_MATCH_1}")
if(NOT commands)
    message(FATAL_ERROR "${PROGRAM} --help names no commands")
endif()
foreach(command IN LISTS commands)
    string(STRIP "${command}" command)
    page(loadline-${command} ${command})
endforeach()
run(${PROGRAM} --help=bash)
file(WRITE ${TO}/share/bash-completion/completions/loadline "${output}")
run(${PROGRAM} --help=zsh)
file(WRITE ${TO}/share/zsh/vendor-completions/_loadline "${output}")

foreach(package loadline loadline-cuda)
    set(changelog ${TO}/${package}/changelog.Debian)
    file(CONFIGURE OUTPUT ${changelog} CONTENT [[@package@ (@PROJECT_VERSION@-@release@) unstable; urgency=medium

  * Made of @commit@.

 -- @maintainer@  @date@
]] @ONLY)
    run(gzip -9n ${changelog})
endforeach()
file(TOUCH ${TO}/facts.cmake)
