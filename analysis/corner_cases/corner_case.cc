#include "analysis/corner_cases/corner_case.h"

namespace photon::analysis {

namespace {

constexpr std::array<CornerRow, kCorners> kRows{{
    {"BC-01", "two tokens of an id in one batch: one inserted, one answered that it exists",
     "One insert succeeds, the other is answered `already exists`, both after the commit."},
    {"BC-02", "a token twice in one batch, inserted both times",
     "Both are answered success, and the joiner writes one record."},
    {"BC-03", "T1, T2, T1 of one id in one batch: inserted, exists, inserted",
     "Success, `already exists`, success: a token is recognised within its own batch."},
    {"BC-04", "an id in two batches in a row, asked for while the first was under way",
     "The second batch is decided by what the first one left, although the first had not "
     "ended when the second was asked for."},
    {"BC-05 before", "look-up and insert in one batch, answered not_found",
     "The look-up does not see the insert that comes after it in the same batch."},
    {"BC-05 after", "insert and look-up in one batch, answered exists",
     "The look-up sees the insert before it, and is answered only when the batch is "
     "committed."},
    {"BC-06", "an insert repeated after its OK had not come, recognised by the same master",
     "The repetition is answered success again, because the stored token is its own."},
    {"BC-07", "an insert repeated after a lost OK, recognised by a later master",
     "The token is replicated as the value, so the new master recognises the repetition too."},
    {"BC-08", "a batch proposed by one master, applied under the next, before its repetition",
     "The first of the two that is applied wins; the other one is a repetition with the same "
     "token."},
    {"BC-09", "an insert that waited at a failover finds the id taken by another since",
     "The old insert is applied as a failure, and its joiner is answered `already exists`."},
    {"BC-10", "the repetition of an insert whose token was cleared",
     "The answer is `already exists`: the event is in the output already."},
    {"BC-11", "the repetition of an insert that took effect, too old by now",
     "The answer is `too old`: age comes before existence and token."},
    {"BC-12", "the token of a removed id inserts it again",
     "The dead token may own the id again; a second verification finds that and recovers the "
     "click, never with a second record."},
    {"BC-13", "an id stamped exactly like the boundary is inserted",
     "It is accepted: only stamps below the boundary are too old."},
    {"BC-14", "a new master whose clock lags the last one's, by the boundaries they propose",
     "The boundary stays or grows, whatever the new clock shows."},
    {"BC-15", "a boundary proposed by a deposed master is applied under the next one",
     "The larger boundary is kept."},
    {"BC-16", "more shards are announced within S of the insert of an id stamped ahead of time",
     "The id maps to the same shard before and after the change."},
    {"BC-17", "a change that would start too early is refused",
     "The change is refused; ids might have been accepted already by the old number of "
     "shards."},
    {"BC-18", "a client uses a change while another client has not seen it",
     "No id is registered in two shards, whichever number of shards a client knows."},
    {"BC-19", "an announced change is cancelled",
     "The change has no effect, and a later one is possible."},
    {"BC-20", "two operators ask for changes within S; later the number goes up and down",
     "The history of shards keeps all its intervals, and each id has one owner."},
    {"BC-21", "a shard beyond the present number answers about an id of before",
     "The old shard still answers, until its boundary has passed all its ids."},
    {"BC-22", "a look-up of an id whose number of shards is forgotten: too old",
     "The answer is `too old`: the shards that could know the id are gone."},
    {"BC-23", "a group has lost its majority of replicas, and none of its batches can commit",
     "No client gets an answer; after the repair all clients get the same outcome."},
    {"BC-24", "all replicas of a region are down, the master among them; another is elected",
     "Another master is elected, and the service continues without the region."},
    {"BC-25", "the network doubles an insert, the copy comes after the OK and gets another",
     "The copy is answered success again for the same token, and the joiner writes no second "
     "record."},
    {"BC-26", "a full batch of one id: one inserted, all others exist",
     "One row is written, one request is answered success, all others `already exists`."},
    {"BC-27", "the operations of a client at one moment go to several shards in as many requests",
     "Each shard receives only its own ids: the client splits what it sends."},
    {"BC-28", "two replies to a request that was repeated, the second after the first",
     "The late reply is ignored or merged; there is one record."},
    {"BC-29", "a removal that finds the id registered with another token",
     "The removal fails, since it names the token that it expects."},
    {"BC-30", "an id more than S ahead of time is inserted",
     "It is counted, or refused where the registry is hardened: such a stamp breaks the bound "
     "on clocks."},
    {"BC-31 insert", "an id never registered, too old at its first insert",
     "The answer is `too old`; the click is skipped and not tried again."},
    {"BC-31 look-up", "an id too old at its look-up",
     "The answer is `too old`, as for the insert."},
    {"BC-32", "new, known, repeated and too old inserts waited together when their master fell",
     "After the failover each request gets its own correct answer."},
}};

}  // namespace

const std::array<CornerRow, kCorners>& corner_rows() { return kRows; }

}  // namespace photon::analysis
