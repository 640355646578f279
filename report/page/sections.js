// What all sections share: their frame, and names of configurations.

function section(id, title, text, ...content) {
  const children = content.filter((each) => each !== null && each !== undefined);
  if (children.length === 0) return null;
  return element("section", { id }, element("h2", {}, title), text ? element("p", {}, text) : null, ...children);
}

// Of studies of one name, such as those of two versions of the program, the last counts.
function newestStudies(data) {
  return [...new Map(data.studies.map((study) => [study.study, study])).values()];
}

function pointLabel(data, point) {
  return shortText(data.points.label[point], 80);
}

function severalPoints(data) {
  return data.points.label.length > 1;
}
