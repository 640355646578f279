#include "analysis/explain/mark_texts/mark_texts.h"

namespace photon::analysis {
namespace {

constexpr MarkText kLogsMarks[] = {
    {"logs.read.damaged", "The log reader skips bytes of a log file that hold no sound record."},
    {"logs.read.damaged_end",
     "The last record of a file that has stopped growing is damaged, and the log reader skips it."},
    {"logs.read.gives_up_waiting",
     "No sound record follows the damage within the waiting limit, and the log reader skips most "
     "of those bytes."},
    {"logs.read.impossible_length", "A record claims to be longer than any plausible record."},
    {"logs.read.in_doubt",
     "A record is damaged and no sound one follows yet; the log reader waits for more bytes."},
    {"logs.read.one_record_damaged",
     "Damage is limited to one record: the next sound record begins exactly where the damaged one "
     "ends."},
    {"logs.read.resynchronised",
     "The log reader finds the next sound record after damage and continues there."},
    {"logs.scan.listing_failed",
     "The listing of a log directory fails, and the reader keeps the file lengths of the last "
     "one."},
    {"logs.scan.outdated_length",
     "A listing gives a file a smaller length than an earlier listing did, and the scan keeps the "
     "larger one."},
    {"logs.scan.still_listing",
     "A new scan is due before the last listing is answered, and the reader skips it."},
    {"logs.scan.unknown_name",
     "A listing contains a file that is no log file of the expected type, and the scan ignores "
     "it."},
    {"logs.source.backlog_waits",
     "Files of the backlog lane already use their half of the reads, and another one of that lane "
     "waits."},
    {"logs.source.changes_lane",
     "A record puts its file into the other lane: from the front to the backlog, or back."},
    {"logs.source.grows_again",
     "A file that was taken for stalled grows, and the reader no longer suspects its end."},
    {"logs.source.left_for_later",
     "A record is younger than the reader may take, and its file waits until the record is old "
     "enough."},
    {"logs.source.read_failed",
     "The volume refuses a read of a log file, and the reader repeats it after the next scan."},
    {"logs.source.reads_at_cap",
     "The limit on concurrent reads is reached, and no further chunk of a log is read for now."},
    {"logs.source.shorter_than_listed",
     "A read returns nothing new although the listing names more bytes: the file has lost its "
     "end."},
    {"logs.source.stalled",
     "A file with an incomplete end has not grown for the stall limit, and the reader searches it "
     "for damage."},
};

}  // namespace

std::span<const MarkText> logs_mark_texts() { return kLogsMarks; }

}  // namespace photon::analysis
