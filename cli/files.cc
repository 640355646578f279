#include "cli/files.h"

#include <filesystem>
#include <system_error>

#include "analysis/trace_file.h"

namespace photonsim::cli {

bool same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  const fs::path first = photon::analysis::target_of(one);
  const fs::path second = photon::analysis::target_of(other);
  std::error_code error;
  if (fs::equivalent(first, second, error) && !error) return true;
  const fs::path first_place = fs::weakly_canonical(fs::absolute(first, error), error);
  if (error) return false;
  const fs::path second_place = fs::weakly_canonical(fs::absolute(second, error), error);
  return !error && first_place == second_place;
}

}  // namespace photonsim::cli
