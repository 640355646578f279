const data = JSON.parse(document.getElementById("data").textContent);

function titleOf() {
  const scenarios = [...new Set(data.points.scenario)];
  if (data.studies.length === 1) return data.studies[0].study;
  if (data.verdict.runs === 1) return `${scenarios[0]}, seed ${data.runs.seed[0]}`;
  return scenarios.length === 1 ? scenarios[0] : data.file.replace(/\.[^.]*$/, "");
}

// Space-time diagrams are pages of their own.
function sendTheme(frame) {
  frame.contentWindow.postMessage(document.documentElement.dataset.theme, "*");
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.querySelectorAll("iframe.diagram").forEach(sendTheme);
}

function build() {
  document.getElementById("title").textContent = shortText(titleOf(), 160);
  document.getElementById("subtitle").textContent = `${data.verdict.runs === 1 ? "1 run" : `${grouped(data.verdict.runs)} runs`}, ${data.points.generated.every((each) => each) ? "each of a generated configuration" : data.points.label.length === 1 ? "one configuration" : `${grouped(data.points.label.length)} configurations`}`;
  const first = data.studies.length > 1 ? [scorecardSection, statedChartsSection, verdictSection] : [verdictSection, scorecardSection, statedChartsSection];
  const sections = [...first, capacitySection, studySection, latencySection, wasteSection, timelineSection, registrySection, failuresSection, faultsSection, coverageSection, healthSection, figuresSection].map((make) => make(data)).filter((each) => each !== null);
  document.getElementById("main").replaceChildren(...sections);
  document.getElementById("contents").replaceChildren(...sections.map((each) => element("a", { href: `#${each.id}` }, each.querySelector("h2").textContent)));
}

setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
build();
document.getElementById("theme").addEventListener("click", () => {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  drawAll();
});
let width = window.innerWidth;
window.addEventListener("resize", () => {
  if (window.innerWidth === width) return;
  width = window.innerWidth;
  drawAll();
});
drawAll().then(() => { document.documentElement.dataset.drawn = String(kCharts.filter((each) => each.plot.isConnected).length); });
