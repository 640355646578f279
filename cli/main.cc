#include "cli/program.h"

int main(int argc, char** argv) { return photonsim::cli::run_program(argc, argv); }
