#include "campaigns/text_table.h"

#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

TEST_CASE("a table is as wide as its widest cells, and a remark runs on") {
  TextTable table({"", "key", "value"});
  table.row({">", "long name", "1"});
  table.row({" ", "x", "22222222"});
  table.row({" ", "a remark that is longer than its column"});
  CHECK(table.text() ==
        "   key        value\n"
        ">  long name  1\n"
        "   x          22222222\n"
        "   a remark that is longer than its column\n");
}

}  // namespace
}  // namespace photonsim::campaigns
