// ---- details beside the diagram

const panel = document.getElementById("panel");
const tip = document.getElementById("tip");

const lane_name = (record) => model.lanes[record.lane].path;

function when(at) {
  const base = `${clock(at, 9)} s`;
  if (!model.focus) return base;
  const distance = at - model.focus.at;
  if (distance === 0) return `${base}, at the violation`;
  return `${base}, ${spoken(Math.abs(distance))} ${distance < 0 ? "before" : "after"} the violation`;
}

function value_html(value) {
  if (Array.isArray(value)) return `<button class="id" type="button" data-event="${value[0]}">${escaped(model.events[value[0]])}</button>`;
  return /^[0-9a-f]{16}$/.test(value) ? `<span class="code">${escaped(value)}</span>` : escaped(value);
}

function relation(record) {
  switch (record.source) {
    case "sent": return `sent to ${record.peer}`;
    case "delivered": return `delivered from ${record.peer}`;
    case "issued": return `asked of ${record.peer}`;
    case "durable": return `durable in ${record.peer}`;
    case "decision": return "its own decision";
    default: return "seen from outside";
  }
}

function fate(record) {
  if (record.source === "sent") {
    const arrived = record.messages.filter((message) => message.delivered);
    if (record.messages.length === 0) return "";
    if (arrived.length === 0) return "was never delivered";
    return arrived.map((message) => `delivered ${spoken(message.delivered.at - record.at)} later`).join(", and ");
  }
  const way = record.messages.find((message) => message.sent);
  return way ? `${spoken(record.at - way.sent.at)} on its way` : "";
}

function facts_html(record, plain) {
  const rows = record.fields.map(({name, value}) => [name, plain && Array.isArray(value) ? escaped(model.events[value[0]]) : value_html(value)]);
  return rows.map(([name, html]) => `<dt>${escaped(name)}</dt><dd>${html}</dd>`).join("");
}

function record_html(record) {
  const lane = model.lanes[record.lane];
  const rows = [`<dt>at</dt><dd>${when(record.at)}</dd>`];
  const way = fate(record);
  if (way) rows.push(`<dt>message</dt><dd>${escaped(way)}</dd>`);
  if (!lane.environment) {
    rows.push(`<dt>life</dt><dd>${record.life}</dd>`);
    rows.push(`<dt>its clock</dt><dd>${record.skew === 0 ? "right" : `${spoken(Math.abs(record.skew))} ${record.skew < 0 ? "slow" : "fast"}`}</dd>`);
  }
  return `<section>
    <h2 style="--tint:var(--${record.family})">${escaped(record.title)}${record.gist ? ` <span class="gist">${escaped(record.gist)}</span>` : ""}</h2>
    <p class="where">${escaped(lane.path)}, ${escaped(relation(record))}</p>
    <dl class="facts">${rows.join("")}${facts_html(record, false)}</dl>
  </section>`;
}

// The other records that one row of a history stands for: the deliveries of a send.
const arrivals = (record) => (record.source === "sent" ? record.messages.filter((message) => message.delivered).map((message) => message.delivered) : []);

const spaced = (path) => `<span class="path">${escaped(path)}</span>`;

function process_html(record) {
  if (record.source === "issued" || record.source === "durable") return `${spaced(lane_name(record))}, ${record.source}`;
  if (record.source === "delivered") return `${spaced(lane_name(record))} ← ${spaced(record.peer)}`;
  if (record.source !== "sent") return spaced(lane_name(record));
  const arrived = arrivals(record).map((each) => spoken(each.at - record.at));
  const way = record.messages.length === 0 ? "" : arrived.length === 0 ? ", never delivered" : `, ${arrived.join(" and ")}`;
  return `${spaced(lane_name(record))} → ${spaced(record.peer)}${way}`;
}

function row_html({record, weak}, origin) {
  const current = record === view.record || arrivals(record).includes(view.record);
  return `<li data-record="${record.index}" class="${weak ? "weak" : ""}" style="--tint:var(--${record.family})"${current ? ' aria-current="true"' : ""}>
    <time>${record.at === origin ? "0" : (record.at > origin ? "+" : "") + spoken(record.at - origin)}</time>
    <span class="what ${record.source}">${escaped(record.title)}${record.gist ? ` <span class="quiet">${escaped(record.gist)}</span>` : ""}</span>
    <span class="process">${process_html(record)}</span>
  </li>`;
}

const kRowsMost = 600;

function history_html() {
  if (view.event === null) return "";
  const all = history_of(view.event);
  const arrived = new Set(all.flatMap((each) => arrivals(each.record)));
  const history = all.filter((each) => !arrived.has(each.record));
  const origin = all.length > 0 ? all[0].record.at : 0;
  const here = view.record ? history.findIndex((each) => each.record === view.record || arrivals(each.record).includes(view.record)) : -1;
  const begin = Math.max(0, Math.min(here - kRowsMost / 2, history.length - kRowsMost));
  const rows = history.slice(begin, begin + kRowsMost).map((each) => row_html(each, origin)).join("");
  const cut = history.length > kRowsMost ? `<p class="quiet">${counted(kRowsMost, "record", "records")} of ${grouped(history.length)} are listed.</p>` : "";
  return `<section>
    <h3><span>All about this event</span><button class="plain" type="button" data-clear>Show everything</button></h3>
    <p class="where"><span class="id" style="cursor:text;text-decoration:none;user-select:all">${escaped(model.events[view.event])}</span></p>
    <ol class="history">${rows}</ol>${cut}
  </section>`;
}

// The records at the same place of the diagram.
function moment_html(record) {
  const records = model.lanes[record.lane].records;
  const begin = first_at_or_after(records, record.at);
  const same = [];
  for (let i = begin; i < records.length && records[i].at === record.at; ++i) same.push(records[i]);
  if (same.length < 2) return "";
  const rows = same.slice(0, kRowsMost).map((each) => row_html({record: each, weak: false}, record.at).replace(/<time>.*?<\/time>/, "<time></time>")).join("");
  return `<section><h3><span>At this moment, in this process</span><span class="quiet">${same.length}</span></h3><ol class="history">${rows}</ol></section>`;
}

// The violated rule, and where to look first; as under a violation in the text report.
function rule_html(violation) {
  return violation.rule ? `<p class="quiet">${escaped(violation.rule)}</p>` : "";
}

function violations_html() {
  if (model.violations.length === 0) return "";
  const rows = model.violations.map((violation, index) => `<li style="--tint:var(--violation)"><button type="button" data-violation="${index}">
    <span class="tag">${escaped(violation.oracle)}</span> ${escaped(violation.message)} <span class="quiet">${clock(violation.at, 3)} s, ${escaped(violation.process)}</span></button>${rule_html(violation)}</li>`);
  return `<section><h3><span>Violations in the window</span><span class="quiet">${model.violations.length}</span></h3><ol class="list">${rows.join("")}</ol></section>`;
}

function faults_html() {
  if (model.faults.length === 0) return "";
  const rows = model.faults.map((fault) => `<li style="--tint:var(--fault)"><button type="button" data-fault="${fault.number}">
    <span class="tag">${fault.number}</span> ${escaped(fault.text)}${fault.effective ? "" : ' <span class="quiet">without effect</span>'}</button></li>`);
  return `<section><h3><span>Faults in the window</span><span class="quiet">${model.faults.length}</span></h3><ol class="list">${rows.join("")}</ol></section>`;
}

function legend_html() {
  const ink = "var(--pipeline)";
  const svg = (content) => `<svg width="34" height="16" viewBox="0 0 34 16" aria-hidden="true">${content}</svg>`;
  const line = '<rect x="0" y="6.8" width="34" height="2.4" fill="var(--life)"/>';
  const rows = [
    [`${line}<circle cx="17" cy="8" r="3.6" fill="${ink}"/>`, "a decision of the process"],
    [`${line}<rect x="8" y="5" width="6" height="6" fill="var(--paper)" stroke="${ink}" stroke-width="1.4"/><rect x="20" y="5" width="6" height="6" fill="${ink}"/>`, "storage: asked for, durable"],
    [`<path d="M3 2 L27 13" stroke="${ink}" fill="none"/><path d="M31 15 L23.5 14 L26 9.5 Z" fill="${ink}"/>`, "a message, from sending to delivery"],
    [`<path d="M4 3 L22 11" stroke="${ink}" stroke-dasharray="3 2" fill="none"/><path d="M20 8 l6 6 m0 -6 l-6 6" stroke="${ink}" fill="none"/>`, "a message that was never delivered"],
    [`<rect x="0" y="6.8" width="15" height="2.4" fill="var(--life)"/><path d="M11 4 l8 8 m0 -8 l-8 8" stroke="var(--violation)" stroke-width="2" fill="none"/><path d="M21 8 h13" stroke="var(--rule-strong)" stroke-dasharray="1 3"/>`, "a crash; then the process is down"],
    [`${line}<rect x="3" y="2" width="28" height="12" rx="3" fill="var(--consensus)" opacity="0.2"/>`, "master of its group"],
    [`${line}<path d="M4 14 l10 -12 M10 14 l10 -12 M16 14 l10 -12 M22 14 l8 -10" stroke="var(--ink-faint)"/>`, "paused: alive, and does nothing"],
    [`<path d="M17 3.5 l4.5 4.5 l-4.5 4.5 l-4.5 -4.5 Z" fill="var(--environment)"/>`, "something that happened to it"],
  ];
  return `<section><h3>How to read it</h3><div class="legend">${rows.map(([mark, text]) => `${svg(mark)}<span>${text}</span>`).join("")}</div></section>`;
}

function show_panel() {
  document.getElementById("chosen").innerHTML = view.record ? record_html(view.record) : "";
  const history = history_html();
  const moment = view.record ? moment_html(view.record) : "";
  panel.innerHTML = history || moment ? history + moment + violations_html() : violations_html() + faults_html() + legend_html();
  const current = panel.querySelector('[aria-current="true"]');
  if (!current || panel.scrollHeight <= panel.clientHeight) return;
  const top = current.offsetTop - panel.offsetTop;
  if (top < panel.scrollTop || top > panel.scrollTop + panel.clientHeight - 60) panel.scrollTop = top - panel.clientHeight / 2;
}

function show_tip(record, x, y) {
  tip.hidden = record === null;
  if (record === null) return;
  const lane = model.lanes[record.lane];
  const distance = model.focus ? `, ${spoken(record.at - model.focus.at)}` : "";
  tip.innerHTML = `<b style="color:var(--${record.family})">${escaped(record.title)}</b>${record.gist ? ` ${escaped(record.gist)}` : ""}
    <div class="quiet">${escaped(lane.path)}, ${escaped(relation(record))}</div>
    <div class="quiet">${clock(record.at, 6)} s${distance}${fate(record) ? `, ${escaped(fate(record))}` : ""}</div>
    <dl class="facts">${facts_html(record, true)}</dl>`;
  const box = tip.getBoundingClientRect();
  const left = x + 16 + box.width > innerWidth ? x - 16 - box.width : x + 16;
  const top = y + 14 + box.height > innerHeight ? y - 14 - box.height : y + 14;
  tip.style.left = `${Math.max(6, left)}px`;
  tip.style.top = `${Math.max(6, top)}px`;
}
