// ---- what the user does

function set_view(from, until) {
  const least = 200;  // nanoseconds
  const most = model.length * 1.04;
  let length = Math.min(most, Math.max(least, until - from));
  let begin = (from + until) / 2 - length / 2;
  begin = Math.max(-model.length * 0.02, Math.min(begin, model.length * 1.02 - length));
  view.from = begin;
  view.until = begin + length;
  redraw();
}

const show_all = () => set_view(-model.length * 0.02, model.length * 1.02);

function zoom(factor, at = (view.from + view.until) / 2) {
  set_view(at - (at - view.from) * factor, at + (view.until - at) * factor);
}

function pan(share) {
  const by = (view.until - view.from) * share;
  set_view(view.from + by, view.until + by);
}

function bring_into_view(record) {
  const length = view.until - view.from;
  if (record.at < view.from + length * 0.05 || record.at > view.until - length * 0.05) {
    set_view(record.at - length / 2, record.at + length / 2);
  }
  const row = view.lane_row[record.lane];
  if (!row) return;
  if (row.y < scroll.scrollTop || row.y + row.height > scroll.scrollTop + scroll.clientHeight) {
    scroll.scrollTop = row.middle - scroll.clientHeight / 2;
  }
}

function follow(event) {
  view.event = event;
  const history = event === null ? [] : history_of(event);
  view.history = new Set(history.filter((each) => !each.weak).map((each) => each.record));
  view.weak = new Set(history.filter((each) => each.weak).map((each) => each.record));
  show_involved();
  resize();
}

function show_involved() {
  const button = document.getElementById("involved");
  button.disabled = view.event === null;
  button.setAttribute("aria-pressed", String(view.involved && view.event !== null));
}

// A click on a record selects its event's history; the selected one is kept if the record belongs
// to it.
function choose(record) {
  view.record = record;
  const in_history = view.event !== null && (view.history.has(record) || view.weak.has(record));
  if (!in_history) follow(record.events.length > 0 ? record.events[0] : null);
  show_panel();
  redraw();
}

function choose_event(event) {
  follow(event);
  if (view.record && !view.history.has(view.record)) view.record = null;
  show_panel();
  redraw();
}

function clear_choice() {
  view.record = null;
  follow(null);
  show_panel();
  redraw();
}

function step(by) {
  const history = view.event !== null ? history_of(view.event).map((each) => each.record) : model.records;
  if (history.length === 0) return;
  const here = view.record ? history.indexOf(view.record) : -1;
  const next = history[Math.max(0, Math.min(history.length - 1, here < 0 ? 0 : here + by))];
  choose(next);
  bring_into_view(next);
}

function show_violation(violation) {
  view.record = null;
  follow(violation.event >= 0 && model.by_event.has(violation.event) ? violation.event : null);
  show_panel();
  const length = Math.min(view.until - view.from, model.length / 4);
  set_view(violation.at - length * 0.7, violation.at + length * 0.3);
  const row = violation.lane >= 0 ? view.lane_row[violation.lane] : null;
  if (row) scroll.scrollTop = row.middle - scroll.clientHeight / 2;
}

// Zooms to the selected history, from its first record to its last, and to the violation if it
// is near.
function show_history() {
  const times = [...view.history].map((record) => record.at);
  let [first, last] = [Math.min(...times), Math.max(...times)];
  if (model.focus && model.focus.event === view.event && model.focus.at <= model.length) {
    [first, last] = [Math.min(first, model.focus.at), Math.max(last, model.focus.at)];
  }
  const room = Math.max((last - first) * 0.08, 1000);
  set_view(first - room, last + room);
}

function show_focus() {
  if (view.event !== null && view.history.size > 0) {
    show_history();
  } else if (model.focus) {
    show_violation(model.focus);
  } else {
    show_all();
  }
}

// ---- the pointer

// The record nearest to a point, or the one that a message near it began or ended with.
function record_at(x, y) {
  const down = y + scroll.scrollTop;
  const row = view.rows.find((each) => each.lane && down >= each.y && down < each.y + each.height);
  if (row && Math.abs(down - row.middle) < 11) {
    const records = row.lane.records;
    const reach = (9 / plot_width()) * (view.until - view.from);
    let best = null;
    let best_score = 1e9;
    for (let i = first_at_or_after(records, at_of(x) - reach); i < records.length && records[i].at <= at_of(x) + reach; ++i) {
      if (!view.shown.has(records[i].family)) continue;
      const score = Math.abs(x_of(records[i].at) - x) - 4 * (strength(records[i]) === 2);
      if (score < best_score) [best, best_score] = [records[i], score];
    }
    if (best) return best;
  }
  return message_at(x, down);
}

function message_at(x, y) {
  let best = null;
  let nearest = 5;
  for (const message of model.messages) {
    if (view.event !== null && strength(message.fact) === 0) continue;
    const line = message_line(message);
    if (!line || x < Math.min(line.x1, line.x2) - 5 || x > Math.max(line.x1, line.x2) + 5) continue;
    const [dx, dy] = [line.x2 - line.x1, line.y2 - line.y1];
    const along = Math.max(0, Math.min(1, ((x - line.x1) * dx + (y - line.y1) * dy) / (dx * dx + dy * dy || 1)));
    const distance = Math.hypot(x - line.x1 - along * dx, y - line.y1 - along * dy);
    if (distance < nearest) [best, nearest] = [message.fact, distance];
  }
  return best;
}

function follow_pointer() {
  const {plot} = canvases;
  let held = null;
  let moved = false;
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = {x: event.clientX, y: event.clientY, from: view.from, until: view.until, top: scroll.scrollTop};
    moved = false;
    plot.setPointerCapture(event.pointerId);
  });
  plot.addEventListener("pointermove", (event) => {
    const box = plot.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (held) {
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      moved = moved || Math.hypot(dx, dy) > 4;
      if (!moved) return;
      plot.classList.add("moving");
      show_tip(null);
      const by = (-dx / plot_width()) * (held.until - held.from);
      set_view(held.from + by, held.until + by);
      if (event.pointerType === "mouse") scroll.scrollTop = held.top - dy;
      return;
    }
    const record = x > gutter() ? record_at(x, y) : null;
    plot.classList.toggle("pointing", record !== null);
    if (record !== view.hover) {
      view.hover = record;
      redraw();
    }
    show_tip(record, event.clientX, event.clientY);
  });
  const release = (event) => {
    plot.classList.remove("moving");
    const clicked = held && !moved && event.type === "pointerup";
    held = null;
    if (!clicked) return;
    const box = plot.getBoundingClientRect();
    const record = record_at(event.clientX - box.left, event.clientY - box.top);
    if (record) choose(record); else clear_choice();
  };
  plot.addEventListener("pointerup", release);
  plot.addEventListener("pointercancel", release);
  plot.addEventListener("pointerleave", () => {
    view.hover = null;
    show_tip(null);
    redraw();
  });
  plot.addEventListener("dblclick", (event) => zoom(0.4, at_of(event.clientX - plot.getBoundingClientRect().left)));
  scroll.addEventListener("wheel", (event) => {
    const sideways = event.shiftKey ? event.deltaX + event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.006), at_of(event.clientX - plot.getBoundingClientRect().left));
    } else if (sideways !== 0 && Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
      event.preventDefault();
      pan(sideways / plot_width());
    }
  }, {passive: false});
  scroll.addEventListener("scroll", redraw, {passive: true});
}

function follow_overview() {
  const {overview} = canvases;
  let held = false;
  const go = (event) => {
    const x = event.clientX - overview.getBoundingClientRect().left;
    const at = ((x - gutter()) / plot_width()) * model.length;
    const length = view.until - view.from;
    set_view(at - length / 2, at + length / 2);
  };
  overview.addEventListener("pointerdown", (event) => {
    held = true;
    overview.setPointerCapture(event.pointerId);
    if (view.until - view.from > model.length * 0.9) zoom(0.2);
    go(event);
  });
  overview.addEventListener("pointermove", (event) => held && go(event));
  overview.addEventListener("pointerup", () => { held = false; });
}

// ---- the other controls

function show_families() {
  const counts = Object.fromEntries(kFamilies.map((family) => [family, 0]));
  for (const record of model.records) counts[record.family] += 1;
  const box = document.getElementById("families");
  box.innerHTML = kFamilies.filter((family) => counts[family] > 0).map((family) =>
    `<button type="button" class="chip" style="--tint:var(--${family})" aria-pressed="${view.shown.has(family)}" data-family="${family}">${family} <span class="count">${grouped(counts[family])}</span></button>`).join("");
  box.onclick = (event) => {
    const family = event.target.closest("[data-family]")?.dataset.family;
    if (!family) return;
    if (!view.shown.delete(family)) view.shown.add(family);
    show_families();
    redraw();
  };
}

function find(text) {
  const event = model.events.indexOf(text.trim());
  view.filter = event >= 0 ? "" : text.trim();
  if (event >= 0) choose_event(event);
  resize();
}

function follow_panel() {
  panel.parentElement.addEventListener("click", (event) => {
    const target = event.target.closest("[data-record],[data-event],[data-clear],[data-violation],[data-fault]");
    if (!target) return;
    const {record, violation, fault, clear} = target.dataset;
    if (record !== undefined) {
      choose(model.records[record]);
      bring_into_view(model.records[record]);
    } else if (target.dataset.event !== undefined) {
      choose_event(Number(target.dataset.event));
    } else if (violation !== undefined) {
      show_violation(model.violations[violation]);
    } else if (fault !== undefined) {
      const {from, until} = model.faults.find((each) => each.number === Number(fault));
      const end = Math.min(until ?? model.length, model.length);
      const room = Math.max((end - Math.max(0, from)) * 0.15, model.length * 0.01);
      set_view(Math.max(0, from) - room, end + room);
    } else if (clear !== undefined) {
      clear_choice();
    }
  });
}

function follow_keys() {
  addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = {
      "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6), "0": show_all, "v": show_focus,
      "ArrowLeft": () => pan(-0.15), "ArrowRight": () => pan(0.15), ",": () => step(-1), ".": () => step(1), "Escape": clear_choice,
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function set_theme(theme) {
  document.documentElement.dataset.theme = theme;
  read_tints();
  redraw();
}

function follow_theme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  set_theme(system.matches ? "dark" : "light");
  system.addEventListener("change", () => set_theme(system.matches ? "dark" : "light"));
  // A page that shows this one follows its own choice.
  window.addEventListener("message", (event) => {
    if (event.source === window.parent && ["light", "dark"].includes(event.data)) set_theme(event.data);
  });
  document.getElementById("theme").onclick = () => set_theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
}

function show_head() {
  const {run, window: part, focus, violations} = model;
  document.getElementById("title").innerHTML = `${escaped(run.scenario)} <span class="seed">seed ${escaped(run.seed)}</span>`;
  const in_history = [`${clock(0, 3)} s to ${clock(model.length, 3)} s of the run`, counted(model.lanes.filter((lane) => !lane.environment).length, "process", "processes"), counted(model.messages.length, "message", "messages")];
  if (part.processes) in_history.push(`only ${part.processes}`);
  if (model.event !== null) in_history.push(`only records about ${model.events[model.event]}`);
  if (run.overrides.length > 0) in_history.push(counted(run.overrides.length, "setting changed", "settings changed"));
  document.getElementById("subtitle").textContent = in_history.join(" · ");
  document.getElementById("subtitle").title = run.overrides.join("\n");
  if (!focus) return;
  const box = document.getElementById("verdict");
  const others = run.violations - 1;
  box.hidden = false;
  box.innerHTML = `<b>${escaped(focus.oracle)} ${escaped(focus.severity)}</b><p>${escaped(focus.message)}</p>${others > 0 ? `<span class="more">one of ${grouped(run.violations)} violations</span>` : ""}`;
}

function resize() {
  measure();
  lay_out();
  document.getElementById("extent").style.height = `${Math.max(0, view.height - scroll.clientHeight)}px`;
  redraw();
}

follow_theme();
show_head();
show_families();
follow_pointer();
follow_overview();
follow_panel();
follow_keys();
document.getElementById("involved").onclick = () => {
  view.involved = !view.involved;
  show_involved();
  resize();
};
document.getElementById("zoom-in").onclick = () => zoom(0.6);
document.getElementById("zoom-out").onclick = () => zoom(1 / 0.6);
document.getElementById("zoom-fit").onclick = show_all;
document.getElementById("zoom-focus").onclick = show_focus;
document.getElementById("find").oninput = (event) => find(event.target.value);
new ResizeObserver(resize).observe(scroll);
follow(null);
show_all();
const opening = model.event ?? (model.focus && model.focus.event >= 0 ? model.focus.event : null);
if (opening !== null && model.by_event.has(opening)) {
  view.involved = true;
  follow(opening);
  show_history();
}
show_panel();
if (model.focus && model.focus.lane >= 0 && view.lane_row[model.focus.lane]) {
  scroll.scrollTop = view.lane_row[model.focus.lane].middle - scroll.clientHeight / 2;
}
redraw();
