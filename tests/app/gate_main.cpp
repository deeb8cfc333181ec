// The program with one more study.
#include "app/command_line.h"
#include "tests/app/gate_studies.h"

int main(int argc, char** argv) {
    return loadline::app::runProgram(
        argv[0], std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), made_up::gateStudies());
}
