// The lint program: `photonsim_lint ROOT` prints every breach as file:line: rule: message.
#include <cstdio>
#include <exception>
#include <filesystem>

#include "tests/lint/rules.h"

int main(int argc, char** argv) {
  if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
    std::fprintf(stderr, "usage: photonsim_lint ROOT, where ROOT is the repository\n");
    return 2;
  }
  try {
    const auto findings = photonsim::lint::lint_tree(argv[1]);
    for (const auto& finding : findings) {
      std::printf("%s:%d: %s: %s\n", finding.file.c_str(), finding.line, finding.rule.c_str(),
                  finding.message.c_str());
    }
    std::printf("lint: %zu findings\n", findings.size());
    return findings.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lint: %s: %s\n", argv[1], error.what());
    return 8;
  }
}
