// A string of bounded length, kept in place: Boost's, in the mode that needs nothing else of Boost.
//
// The one door to it: everything that talks to volumes includes it, and this mode compiles in half
// the time.
#pragma once

// The library uses the first two without including them in this mode.
#include <cstddef>
#include <limits>
#include <string_view>

#define BOOST_STATIC_STRING_STANDALONE
#include <boost/static_string.hpp>

namespace photon {

template <std::size_t kMost>
using StaticString = boost::static_strings::static_string<kMost>;

}  // namespace photon
