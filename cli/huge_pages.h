// Memory in pages of 2 MiB instead of 4 KiB: a run then faults for a hundredth of its pages, and
// its tables stay within reach of the processor's translation cache. It takes a sixth of a run's
// time off (docs/performance.md), and no result depends on it.
//
// The C library decides by GLIBC_TUNABLES, which it reads before main(). So the program sets what
// is missing there and starts itself once more, in the same process.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace photonsim::cli {

// GLIBC_TUNABLES with what huge pages need: pages from the kernel in large areas that are not
// returned. Nothing if `present` says something about the allocator already: a user's choice
// stands, and the program starts again only once.
std::optional<std::string> huge_page_tunables(std::string_view present);

// For main(): returns in the second start, or if there can be none.
void restart_with_huge_pages(char** argv);

}  // namespace photonsim::cli
