// Tables: behind every chart, and of what is better read than seen.

const kRowsMost = 2000;

// columns: [{title, of: row => text or number, unit}]
function tableOf(columns, rows) {
  const head = element("tr", {}, ...columns.map((column) => element("th", { class: column.unit ? "number" : null }, column.title)));
  const body = rows.slice(0, kRowsMost).map((row) =>
    element("tr", {}, ...columns.map((column) => {
      const value = column.of(row);
      const text = column.unit ? spoken(column.unit, value) : (value === null || value === undefined ? "–" : value);
      return element("td", { class: column.unit ? "number" : null }, text);
    })));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  const scroll = element("div", { class: "scroll", tabindex: "0" }, table);
  if (rows.length <= kRowsMost) return scroll;
  return element("div", {}, scroll, element("p", {}, `${grouped(rows.length - kRowsMost)} rows more stand in the data of this page.`));
}

function folded(title, content) {
  return element("details", {}, element("summary", {}, title), content);
}

function facts(pairs) {
  const list = element("dl", { class: "facts" });
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === "") continue;
    list.append(element("dt", {}, name), element("dd", {}, value));
  }
  return list;
}

function tile(value, text) {
  return element("div", { class: "tile" }, element("b", {}, value), element("span", {}, text));
}
