# Read by ctest: the suites of `program` as entries of `environment` and `properties`.
if(NOT EXISTS ${program})
    add_test(${program}_NOT_BUILT ${program})
    return()
endif()
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE suites RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "${program} does not list its tests: ${failed}")
endif()
string(REGEX MATCHALL "(^|\n)[^ \n.]+[.]" suites "${suites}") # "Suite.", and its tests indented below
foreach(suite IN LISTS suites)
    string(REGEX MATCH "[^\n.]+" suite "${suite}")
    if(NOT suite MATCHES "^DISABLED_|/DISABLED_")
        add_test(${suite} ${program} --gtest_filter=${suite}.*)
        set_tests_properties(${suite} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77
            ENVIRONMENT "${environment};LOADLINE_TELL_SKIPPED=1" ${properties})
    endif()
endforeach()
