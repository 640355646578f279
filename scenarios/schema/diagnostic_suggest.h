// "Did you mean ...?": the name that is nearest to an unknown one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace photonsim::scenarios {

// Edits (insert, remove, replace, swap neighbours) between two texts; long texts are cut at 64
// bytes.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest candidate, the first of equals, if it is near enough to be a typing error; else "".
// Never the name itself.
[[nodiscard]] std::string closest(std::string_view name, std::span<const std::string> candidates);

// A hint: did you mean the closest one, or else the list of what is allowed (if it is short).
[[nodiscard]] std::string suggest(std::string_view name, std::span<const std::string> candidates);

}  // namespace photonsim::scenarios
