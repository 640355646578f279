#include "analysis/corner_cases/corner_case.h"

namespace photon::analysis {

const std::array<CornerRow, kCorners>& corner_rows() {
  static constexpr std::array<CornerRow, kCorners> kRows{{
      {"BC-01", "two tokens of an id in one batch: one inserted, one told that it exists"},
      {"BC-02", "a token twice in one batch, inserted both times"},
      {"BC-03", "T1, T2, T1 of one id in one batch: inserted, exists, inserted"},
      {"BC-04", "an id in two batches in a row, asked for while the first was under way"},
      {"BC-05 before", "look-up and insert in one batch, answered not_found"},
      {"BC-05 after", "insert and look-up in one batch, answered exists"},
      {"BC-06", "an insert repeated after its OK had not come, recognised by the same master"},
      {"BC-07", "the same, recognised by a later master"},
      {"BC-08", "a batch proposed by one master, applied under the next, before its repetition"},
      {"BC-09", "an insert that waited at a failover finds the id taken by another since"},
      {"BC-10", "the repetition of an insert whose token was cleared"},
      {"BC-11", "the repetition of an insert that took effect, too old by now"},
      {"BC-12", "the token of a removed id inserts it again"},
      {"BC-13", "an id stamped exactly like the boundary is inserted"},
      {"BC-14",
       "a new master whose clock is behind the last one's, by the boundaries they propose"},
      {"BC-15", "a boundary proposed by a deposed master is applied under the next one"},
      {"BC-16", "more shards are announced within S of the insert of an id stamped ahead of time"},
      {"BC-17", "a change that would start too early is refused"},
      {"BC-18", "a client uses a change while another client has not seen it"},
      {"BC-19", "an announced change is cancelled"},
      {"BC-20", "two operators ask for changes within S; later the number goes up and down"},
      {"BC-21", "a shard beyond the present number answers about an id of before"},
      {"BC-22", "a look-up of an id whose number of shards is forgotten: too old"},
      {"BC-23", "so many replicas of a group are down that none of its batches can go on"},
      {"BC-24", "all replicas of a region are down, the master among them; another is elected"},
      {"BC-25", "the network doubles an insert, the copy comes after the OK and gets another"},
      {"BC-26", "a full batch of one id: one inserted, all others exist"},
      {"BC-27", "what a client asks at one moment goes to several shards in as many requests"},
      {"BC-28", "two replies to a request that was repeated, the second after the first"},
      {"BC-29", "a removal that finds the id registered with another token"},
      {"BC-30", "an id more than S ahead of time is inserted"},
      {"BC-31 insert", "an id nobody registered, too old at its first insert"},
      {"BC-31 look-up", "the same for a look-up"},
      {"BC-32", "new, known, repeated and too old inserts waited together when their master fell"},
  }};
  return kRows;
}

}  // namespace photon::analysis
