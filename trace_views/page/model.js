// ---- the data, as objects

const kFamilies = ["environment", "consensus", "registry", "pipeline"];

const model = build_model(JSON.parse(document.getElementById("data").textContent));

function build_model(data) {
  const records = data.records.map((row, index) => read_record(data, row, index));
  const lanes = data.lanes.map((lane, index) => ({
    ...lane,
    index,
    place: data.datacenters[lane.datacenter],
    name: lane.environment ? lane.path : lane.path.slice(lane.path.indexOf("/") + 1),
    records: [],
  }));
  for (const record of records) {
    const lane = lanes[record.lane];
    lane.records.push(record);
    // Drawn as an end of the life itself.
    record.edge = record.source === "environment" && lane.lives.some(([from, until]) => record.at === from || record.at === until);
  }
  const messages = data.messages.map(([sent, delivered], index) => read_message(records, lanes, data, sent, delivered, index));
  const by_event = new Map();
  for (const record of records) {
    for (const event of record.events) {
      if (!by_event.has(event)) by_event.set(event, []);
      by_event.get(event).push(record);
    }
  }
  return {
    ...data, records, lanes, messages, by_event,
    origin: BigInt(data.window.from_ns),
    length: Math.max(1, data.window.length),
    focus: data.focus === null ? null : data.violations[data.focus],
  };
}

function read_record(data, row, index) {
  const [at, lane, kind, source, life, peer, gist, skew, values] = row;
  const {title, family, fields} = data.kinds[kind];
  const events = [];
  for (const value of values) {
    if (Array.isArray(value) && !events.includes(value[0])) events.push(value[0]);
  }
  return {
    index, at, lane, title, family, gist, skew, life, events,
    source: data.sources[source],
    peer: peer < 0 ? "" : data.names[peer],
    fields: fields.map((name, i) => ({name, value: values[i]})),
    messages: [],
  };
}

function read_message(records, lanes, data, sent, delivered, index) {
  const message = {index, sent: records[sent] ?? null, delivered: records[delivered] ?? null, towards: -1};
  message.fact = message.sent ?? message.delivered;
  if (message.sent) message.sent.messages.push(message);
  if (message.delivered) message.delivered.messages.push(message);
  if (!message.delivered) message.towards = lanes.findIndex((lane) => lane.path === message.sent.peer);
  if (!message.sent) message.towards = lanes.findIndex((lane) => lane.path === message.delivered.peer);
  return message;
}

// The history of an event: the records that name it and, between these, look-ups of a query that
// belongs to it.
function history_of(event) {
  const own = model.by_event.get(event) ?? [];
  const partners = new Set();
  for (const record of own) {
    for (const field of record.fields) {
      if (field.name === "query" && Array.isArray(field.value) && field.value[0] !== event) partners.add(field.value[0]);
    }
  }
  const history = own.map((record) => ({record, weak: false}));
  const lanes = new Set(own.map((record) => record.lane));
  for (const partner of partners) {
    for (const record of model.by_event.get(partner)) {
      const meant = record.at >= own[0].at && record.at <= own[own.length - 1].at && lanes.has(record.lane);
      if (meant && record.events.every((each) => each === partner)) history.push({record, weak: true});
    }
  }
  return history.sort((a, b) => a.record.index - b.record.index);
}
