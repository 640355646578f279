// Whether a zstd file is whole. The decompressor of Boost.Iostreams takes the end of a file that
// was cut off for the end of its text.
#pragma once

namespace photon::models {

// Goes through the frames and the sizes of their blocks (RFC 8878 section 3.1); unpacks nothing.
// Requires an open file that can be read at any place.
bool has_whole_frames(int file);

}  // namespace photon::models
