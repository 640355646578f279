# Writes small_queries.csv and small_clicks.csv of this folder, the same bytes every time:
#
#     awk -f make_small_trace.awk        (in scenarios/traces; any awk)
#
# 60 queries and 400 clicks over 10 minutes. Most clicks follow their query within a minute, a few
# by minutes; 5 have an empty query id, so they can never be joined.

# Park and Miller's generator: products stay below 2^53, so every awk computes them exactly.
function random(limit) {
  state = (state * 16807) % 2147483647
  return state % limit
}

BEGIN {
  state = 20130622
  start = 1750000000000 # ms
  end = 600000
  queries = 60
  clicks = 400

  out = "small_queries.csv"
  print "query_id,t_ms" > out
  at = 0
  for (q = 1; q <= queries; q++) {
    at += 2000 + random(14000)
    asked[q] = at
    printf "%d,%.0f\n", q, start + at > out
  }
  close(out)

  for (c = 1; c <= clicks; c++) {
    q = 1 + random(queries)
    spread = random(10) == 0 ? 180000 : 45000
    t = asked[q] + 800 + random(spread)
    if (t > end) t = asked[q] + 800 + random(end - asked[q] - 800)
    # Insertion sort by time: awk has none of its own.
    for (i = c; i > 1 && when[i - 1] > t; i--) {
      when[i] = when[i - 1]
      what[i] = what[i - 1]
    }
    when[i] = t
    what[i] = q
  }
  out = "small_clicks.csv"
  print "click_id,query_id,t_ms" > out
  for (c = 1; c <= clicks; c++)
    printf "%d,%s,%.0f\n", c, (c % 80 == 40 ? "" : what[c]), start + when[c] > out
  close(out)
}
