// The program: a command of the command line, or the window.
#include "app/command_line.h"

#include <string>
#include <vector>

int main(int argc, char** argv) {
    return loadline::app::runProgram(argv[0],
                                     std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
