#include "analysis/explain/mark_texts/mark_texts.h"

namespace photon::analysis {
namespace {

constexpr MarkText kRpcMarks[] = {
    {"rpc.deadline.dropped",
     "A deadline passes whose call has ended or waits anew, and it is dropped."},
    {"rpc.redirect.hint",
     "A replica refuses as it is not master, and the caller follows its hint to the master."},
    {"rpc.redirect.hint_unknown",
     "A refusal names no master that the caller knows, and the caller ignores its hint."},
    {"rpc.redirect.news_already",
     "A replica refuses after the caller has turned to another one, and the caller keeps its new "
     "target."},
    {"rpc.redirect.next_in_turn",
     "A replica refuses without a usable hint; the caller pauses, then asks the next replica in "
     "turn."},
    {"rpc.silent.next_in_turn",
     "The replica that the caller takes for the master does not answer, and the caller turns to "
     "the next one."},
};

}  // namespace

std::span<const MarkText> rpc_mark_texts() { return kRpcMarks; }

}  // namespace photon::analysis
