#include "cli/huge_pages.h"

#include "tests/support/catch.h"

namespace photonsim::cli {

TEST_CASE("tunables for huge pages are added to the present ones, once") {
  const auto fresh = huge_page_tunables("");
  REQUIRE(fresh);
  CHECK_THAT(*fresh, Catch::StartsWith("glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold="));
  CHECK(!huge_page_tunables(*fresh));
  const auto added = huge_page_tunables("glibc.cpu.hwcaps=-FMA,-AVX2");
  REQUIRE(added);
  CHECK(*added == "glibc.cpu.hwcaps=-FMA,-AVX2:" + *fresh);
  CHECK(!huge_page_tunables(*added));
}

TEST_CASE("a user's choice about huge pages stands") {
  CHECK(!huge_page_tunables("glibc.malloc.hugetlb=0"));
  CHECK(!huge_page_tunables("glibc.cpu.hwcaps=-FMA:glibc.malloc.trim_threshold=1"));
}

}  // namespace photonsim::cli
