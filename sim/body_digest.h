// Hash of an encoded body, computed once per body: the part of a message that the fingerprint
// covers. A payload by reference counts as its reference, a function of the run, so that no caller
// makes its bytes for the hash.
#pragma once

#include <cstdint>

#include "core_impl/base/hash.h"
#include "core_impl/runtime/catalogue.h"

namespace photon::sim {

// `scratch` is a buffer to encode into; its content is lost.
inline std::uint64_t digest_of(const Body& body, Bytes& scratch) {
  if (body.noted_digest() != 0) return body.noted_digest();
  scratch.clear();
  encode_body(body, scratch, Encoder::Payloads::as_references);
  const std::uint64_t hash = hash_bytes(scratch);
  const std::uint64_t digest = hash == 0 ? 1 : hash;  // 0 means: not computed
  body.note_digest(digest);
  return digest;
}

}  // namespace photon::sim
