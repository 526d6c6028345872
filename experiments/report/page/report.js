
// options makes a labelled choice of names; pick is called with the number of the chosen.
function options(label, names, pick) {
  const select = make("select", { "aria-label": label, change: () => pick(Number(select.value)) }, ...names.map((name, i) => make("option", { value: i }, name)));
  return make("label", {}, label + " ", select);
}

// Tables sort by the heading that is pressed, and are saved as CSV.
const textOf = (cell) => cell.dataset.v ?? (cell.querySelector("div") ?? cell).textContent.trim();

function sortTable(table, column) {
  const heads = [...table.tHead.rows[0].cells], down = heads[column].ariaSort === "ascending" ? -1 : 1;
  const compare = (a, b) => {
    const [x, y] = [a, b].map((row) => textOf(row.cells[column]));
    const [m, n] = [x, y].map((text) => text === "" ? NaN : Number(text));
    if (isNaN(m) || isNaN(n)) return isNaN(m) - isNaN(n) || down * x.localeCompare(y, "en", { numeric: true });
    return down * (m - n);
  };
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort(compare));
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[column].ariaSort = down > 0 ? "ascending" : "descending";
}

// csvOf has a column of standard errors after each that has any. A text that a spreadsheet
// would take for a formula gets a quote in front.
function csvOf(table) {
  const rows = [...table.rows];
  const spread = [...table.rows[0].cells].map((_, i) => rows.some((row) => row.cells[i]?.dataset.e));
  const field = (text) => {
    if (/^[=+\-@\t\r]/.test(text) && isNaN(text)) text = "'" + text;
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  return rows.map((row, r) => [...row.cells].flatMap((cell, i) => {
    const text = textOf(cell);
    return spread[i] ? [text, r === 0 ? text + " standard error" : cell.dataset.e ?? ""] : [text];
  }).map(field).join(",")).join("\n") + "\n";
}

for (const table of document.querySelectorAll("table")) {
  const box = table.parentElement, name = box.getAttribute("aria-label");
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    const text = head.firstElementChild;
    text.replaceChildren(make("button", { type: "button", click: () => sortTable(table, i) }, text.textContent));
  });
  const link = make("a", {
    href: "#", class: "csv", download: (document.title + " " + name).replace(/[^\p{L}\p{N}]+/gu, "-") + ".csv",
    click: () => { link.href = URL.createObjectURL(new Blob([csvOf(table)], { type: "text/csv" })); },
  }, "CSV of " + name);
  box.after(link);
}

// One metric at a time.
const metrics = [...document.querySelectorAll(".metric")];
const showMetric = (i) => metrics.forEach((metric, j) => { metric.hidden = i !== j; });
if (metrics.length > 1) {
  metrics[0].before(make("div", { class: "controls" }, options("Metric", metrics.map((m) => m.querySelector("h3").textContent), showMetric)));
  showMetric(0);
}

// The legend hides and shows methods in all plots.
for (const item of document.querySelectorAll(".legend li")) {
  const button = make("button", { type: "button", "aria-pressed": "true", click: () => {
    const on = button.ariaPressed === "false";
    button.ariaPressed = String(on);
    document.querySelectorAll(".plot .m" + item.dataset.m).forEach((e) => e.classList.toggle("off", !on));
  } }, ...item.childNodes);
  item.append(button);
}

// One data at a time; of its trees those of two methods on one fold.
const articles = [...document.querySelectorAll(".data")];
const showData = (i) => articles.forEach((article, j) => { article.hidden = i !== j; });
if (articles.length > 1) {
  articles[0].before(make("div", { class: "controls" }, options("Data", articles.map((a) => a.dataset.name), showData)));
  showData(0);
}

for (const article of articles) {
  const pair = article.querySelector(".pair");
  const figures = [...article.querySelectorAll(".shown")];
  article.querySelector(".others")?.remove();
  const listed = (key, name) => [...new Map(figures.map((f) => [f.dataset[key], f.dataset[name]]))].sort((a, b) => a[0] - b[0]);
  const methods = listed("m", "method"), folds = listed("s", "division");
  if (figures.length <= pair.children.length) continue;
  let fold = pair.children[0].dataset.s;
  const chosen = [...pair.children].map((f) => f.dataset.m);
  const show = () => {
    const trees = [...new Set(chosen)].map((m) => figures.find((f) => f.dataset.m === m && f.dataset.s === fold));
    pair.replaceChildren(...trees.map((f) => f ?? make("p", { class: "shown" }, "No tree of this method here.")));
    tabs.forEach((tab, i) => {
      tab.ariaSelected = String(folds[i][0] === fold);
      tab.tabIndex = folds[i][0] === fold ? 0 : -1;
    });
  };
  const pick = (i) => { fold = folds[i][0]; show(); tabs[i].focus(); };
  const tabs = folds.map(([, name], i) => make("button", {
    type: "button", role: "tab", click: () => pick(i),
    keydown: (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) pick((i + step + folds.length) % folds.length);
    },
  }, name));
  const selects = chosen.map((m, i) => {
    const label = options(i === 0 ? "Tree of" : "beside", methods.map(([, name]) => name), (k) => { chosen[i] = methods[k][0]; show(); });
    label.querySelector("select").value = methods.findIndex(([at]) => at === m);
    return label;
  });
  pair.before(make("div", { class: "controls" }, ...selects, ...(folds.length > 1 ? [make("div", { class: "tabs", role: "tablist", "aria-label": "Folds" }, ...tabs)] : [])));
  pair.setAttribute("role", "tabpanel");
  pair.setAttribute("aria-label", "Trees");
  show();
}
