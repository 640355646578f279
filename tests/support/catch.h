// The only include of Catch2: Debian 12 has 2.13 (one header), newer systems have 3.
//
// Tests include this file and nothing of Catch2 itself.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
