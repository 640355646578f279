// What a process may ask of durable storage: a host's own disk, or its datacenter's shared cell.
//
// Contract, the same in every runtime:
//  * A volume holds files, each an append-only byte string or a small blob that is replaced whole.
//  * `append` carries the length the writer believes the file has. If it differs, nothing is
//    written and the answer is `conflict` with the true length, so a retried append takes effect
//    once.
//  * `append` and `replace` carry an epoch. A file's epoch only grows; a request below it is
//    refused with `fenced`. `fence` raises the epoch of every file with a prefix, also of files
//    that do not exist yet. This shuts out a dead incarnation's late writes (F-06).
//  * Durable means: survives a crash of the process, of the host and of the datacenter. An append
//    with Durability::synced is durable, with everything before it in that file, once it has
//    completed `ok`. A buffered append may be lost or torn (a prefix survives) until a later `sync`
//    or synced append of the same file completes. `replace` is atomic and durable at completion.
//  * A request that was not completed when its process died may have taken effect, in full or in
//    part (append), or not at all.
//  * Requests of one process to one file take effect in the order of submission.
//  * Shared cells survive host crashes and fail on their own (`unavailable`).
//
// Paper: Photon section 3.2 (state in the local GFS cell); SPEC C-03, D-16, F-06, A-23.
#pragma once

#include <cstdint>

#include "core_impl/base/bytes.h"
#include "core_impl/base/static_string.h"
#include "core_impl/base/strong_id.h"

namespace photon {

class RecordLog;  // record_log.h

using FileName = StaticString<55>;

enum class VolumeOperation : std::uint8_t {
  list,     // names and lengths of all files whose name starts with `file`, in name order
  stat,     // length
  read,     // up to `length` bytes from `offset`; fewer at the end of the file
  append,   // data at the end
  sync,     // make all earlier appends to the file durable
  replace,  // whole content, atomically
  remove,
  fence,  // raise the epoch of every file that starts with `file` to `epoch`
};

enum class Durability : std::uint8_t { synced, buffered };

// How a read fits the ones before it: the next piece of a tail, or a seek into a file that may have
// to be opened first. It changes what the read costs, never what it returns.
enum class Access : std::uint8_t { sequential, random };

// How the reader of a log of events wants what it reads. `records`: a range of records will do, if
// the volume knows them and their bytes are sound; any volume may give bytes all the same.
enum class ReadForm : std::uint8_t { bytes, records };

struct VolumeRequest {
  VolumeId volume{};
  VolumeOperation operation{};
  Durability durability = Durability::synced;
  Access access = Access::sequential;  // read
  ReadForm form = ReadForm::bytes;     // read
  FileName file{};
  std::uint64_t offset = 0;           // read
  std::uint32_t length = 0;           // read: at most this many bytes
  std::uint64_t expected_length = 0;  // append
  std::uint64_t epoch = 0;            // append, replace, fence; 0 for unfenced files
  Bytes data{};                       // append, replace
};

enum class IoStatus : std::uint8_t {
  ok,
  missing,      // no such file
  conflict,     // append: the file's length is `length`, not expected_length
  fenced,       // the epoch is below the file's
  full,         // no space; nothing was written
  unavailable,  // the volume did not answer; the effect is unknown
  torn,         // read: the stored bytes fail the device's own check
};

struct FileInfo {
  FileName name{};
  std::uint64_t length = 0;
};

// The bytes [begin, end) of a log that outlives its readers, as records (record_log.h).
struct RecordRange {
  RecordLog* log = nullptr;  // null: no range
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct IoResult {
  IoStatus status = IoStatus::ok;
  std::uint64_t length = 0;        // stat, append (after), conflict: length of the file
  Bytes data{};                    // read
  PooledVector<FileInfo> files{};  // list
  RecordRange range{};             // read, in place of `data`

  // How many bytes were read, in either form.
  std::uint64_t bytes_read() const {
    return range.log != nullptr ? range.end - range.begin : data.size();
  }
};

}  // namespace photon
