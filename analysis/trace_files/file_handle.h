// A stdio stream that closes itself, for the files of this folder.
#pragma once

#include <cstdio>
#include <memory>

namespace photon::analysis {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace photon::analysis
