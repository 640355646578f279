#include "analysis/results/file_names.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

#include "analysis/trace_files/draft_file.h"

namespace photon::analysis {
namespace {

// Files that SQLite keeps beside a database.
constexpr std::string_view kCompanions[] = {"-wal", "-shm", "-journal"};

}  // namespace

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

bool of_results(const std::string& results, const std::string& file) {
  if (same_file(results, file)) return true;
  const std::string base = photon::analysis::target_of(results);
  return std::any_of(std::begin(kCompanions), std::end(kCompanions), [&](std::string_view each) {
    return same_file(base + std::string(each), file);
  });
}

void remove_companions(const std::string& results) {
  for (const std::string_view each : kCompanions) {
    std::error_code error;
    std::filesystem::remove(results + std::string(each), error);
  }
}

}  // namespace photon::analysis
