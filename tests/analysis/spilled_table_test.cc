// Packed pages that are moved to a temporary file: readers see no difference, with such a file or
// without.
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/evidence/packed_table.h"
#include "analysis/evidence/spill_file.h"
#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

struct SpilledRow {
  std::uint64_t number = 7;
  std::uint64_t other = 9;
};
using SpilledTable = PackedTable<SpilledRow>;

void let_all_rest(const SpilledTable& table) {
  for (std::uint32_t i = 0; i < SpilledTable::kIdle; ++i) table.tick();
}

// While it lives, no file can be opened.
class NoFiles {
 public:
  NoFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoFiles(const NoFiles&) = delete;
  NoFiles& operator=(const NoFiles&) = delete;

 private:
  rlimit before_{};
};

// Random reads, changes and rests against a vector.
void compare_with_vector(SpilledTable& table) {
  std::vector<std::uint64_t> expected;
  std::uint64_t drawn = 1;
  const auto draw = [&](std::uint64_t below) {
    drawn = mix(drawn + 1);
    return drawn % below;
  };
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t action = draw(10);
    if (action < 4 || expected.empty()) {
      expected.push_back(draw(1'000'000));
      table.emplace_back().number = expected.back();
    } else if (action < 6) {
      const std::size_t at = draw(expected.size());
      table[at].number = expected[at] = draw(1'000'000);
    } else if (action < 9) {
      const std::size_t at = draw(expected.size());
      REQUIRE(std::as_const(table)[at].number == expected[at]);
    } else if (draw(20) == 0) {
      let_all_rest(table);
      REQUIRE(table.pages_in_use() == 0);
    } else {
      table.tick();
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    REQUIRE(std::as_const(table)[i].number == expected[i]);
  }
}

}  // namespace

TEST_CASE("a table that keeps no packed page in memory holds what a vector would hold") {
  SpilledTable table(1, 0);
  compare_with_vector(table);
  let_all_rest(table);
  CHECK(table.packed_bytes() == 0);
}

TEST_CASE("a table keeps its packed pages in memory up to its bound, the last ones packed") {
  SpilledTable table(1, 1'000);
  compare_with_vector(table);
  let_all_rest(table);
  CHECK(table.packed_bytes() > 0);
  CHECK(table.packed_bytes() <= 1'000);
}

TEST_CASE("a table without a temporary file keeps its packed pages in memory") {
  const NoFiles none;
  SpilledTable table(1, 0);
  compare_with_vector(table);
  let_all_rest(table);
  CHECK(table.packed_bytes() > 0);
}

TEST_CASE("a page that was changed after it was moved to the file is stored anew") {
  SpilledTable table(1, 0);
  for (std::uint64_t i = 0; i < 3 * SpilledTable::kPageRows; ++i) table.emplace_back().number = i;
  let_all_rest(table);
  REQUIRE(table.packed_bytes() == 0);
  table[70].number = 5;
  let_all_rest(table);
  CHECK(std::as_const(table)[70].number == 5);
  CHECK(std::as_const(table)[71].number == 71);
  let_all_rest(table);
  CHECK(std::as_const(table)[70].number == 5);
}

TEST_CASE("a temporary file returns what was put into it, and there is none in a missing folder") {
  CHECK(SpillFile::open("/nonexistent") == nullptr);
  const auto file = SpillFile::open();
  REQUIRE(file != nullptr);
  std::vector<std::byte> bytes(100'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(mix(i));
  const auto first = file->append(bytes);
  const auto second = file->append(std::span(bytes).subspan(1, 50));
  REQUIRE((first && second));
  CHECK(*second == *first + bytes.size());
  std::vector<std::byte> read(bytes.size());
  file->read(*first, read);
  CHECK(read == bytes);
  read.resize(50);
  file->read(*second, read);
  CHECK(std::ranges::equal(read, std::span(bytes).subspan(1, 50)));
}

TEST_CASE("a forked process reads a temporary file and leaves its end to the one that opened it") {
  const auto file = SpillFile::open();
  REQUIRE(file != nullptr);
  const std::vector<std::byte> bytes(1'000, std::byte{3});
  const auto place = file->append(bytes);
  REQUIRE(place);
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<std::byte> read(bytes.size());
    file->read(*place, read);
    ::_exit(read == bytes && !file->append(bytes) ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(file->append(bytes) == *place + bytes.size());
}

}  // namespace photon::analysis
