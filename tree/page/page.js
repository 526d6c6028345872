"use strict";

// make returns an element. Texts are appended as texts, never read as HTML.
function make(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") e.addEventListener(name, value);
    else e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}

// A TreeView makes one tree of the page interactive.
class TreeView {
  constructor(element) {
    this.data = JSON.parse(element.querySelector("script").textContent);
    this.items = [];
    for (const li of element.querySelectorAll("li[data-n]")) {
      this.items[li.dataset.n] = li;
      if (li.querySelector(":scope > ul")) this.addFold(li);
    }
    if (this.data.columns.length > 0) this.addTools(element);
  }

  // textOf is what a node says: its condition or its class.
  textOf(n) { return this.items[n].querySelector(".text").textContent; }

  addFold(li) {
    const button = make("button", {
      type: "button", class: "fold", "aria-expanded": "true", "aria-label": "Branches of " + this.textOf(li.dataset.n),
      click: () => this.fold(li, !li.classList.contains("folded")),
    });
    li.querySelector(".node").prepend(button);
  }

  fold(li, folded) {
    const button = li.querySelector(".fold");
    if (!button) return;
    li.classList.toggle("folded", folded);
    button.setAttribute("aria-expanded", String(!folded));
  }

  // addTools puts the buttons above the tree, and the panels that two of them open.
  addTools(element) {
    const panels = [this.rowPanel(), this.questionPanel()];
    const names = ["Enter a row", "Questionnaire"];
    const buttons = panels.map((panel, i) => make("button", {
      type: "button", "aria-expanded": "false",
      click: () => panels.forEach((p, j) => {
        p.hidden = i !== j || !p.hidden;
        buttons[j].setAttribute("aria-expanded", String(!p.hidden));
        if (i === j) p.hidden ? this.mark([]) : p.begin();
      }),
    }, names[i]));
    const foldAll = (folded) => this.items.forEach((li, n) => this.fold(li, folded && n > 0));
    element.querySelector(".level").before(make("div", { class: "tools" }, ...buttons,
      make("button", { type: "button", click: () => foldAll(true) }, "Fold all"),
      make("button", { type: "button", click: () => foldAll(false) }, "Unfold all")), ...panels);
  }

  // mark shows a path.
  mark(path) {
    this.items.forEach((li, n) => li.classList.toggle("on", path.includes(n)));
    path.forEach((n) => this.fold(this.items[n], false));
  }

  // goesLeft says how a row goes at a branch node. entered has its fields by column.
  goesLeft(node, entered) {
    let sum = 0;
    for (const [column, weight, of] of node.terms) {
      const { value, missing } = entered.get(column);
      sum += weight * (of === undefined ? value : Number(of < 0 ? missing : value === of));
    }
    return sum < node.threshold;
  }

  // walk follows the tree as far as the entered fields lead: the path, what they say at
  // each of its nodes, and the column that the next condition wants.
  walk(entered) {
    const path = [0], steps = [];
    for (let node; (node = this.data.nodes[path.at(-1)]).terms;) {
      const term = node.terms.find(([column]) => !entered.has(column));
      if (term) return { path, steps, wanted: this.data.columns[term[0]].name };
      const side = this.goesLeft(node, entered) ? 0 : 1;
      steps.push(node.says[side]);
      path.push(node.to[side]);
    }
    return { path, steps };
  }

  // outcome is what a leaf says.
  outcome(n) {
    return make("p", { class: "outcome" }, make("strong", {}, this.data.nodes[n].rule));
  }

  // field is the input of a column; change is called after entered has its value.
  field(index, entered, change) {
    const column = this.data.columns[index];
    const missing = (text) => ({ value: column.missing, missing: true, text });
    let input;
    if (column.categories) {
      input = make("select", {}, make("option", { value: "" }, "choose"),
        ...column.categories.map((name, i) => make("option", { value: i }, name === "?" ? "(missing)" : name)));
      if ("missing" in column && column.categories[column.missing] !== "?") input.append(make("option", { value: "missing" }, "(missing)"));
      input.append(make("option", { value: -1 }, "(another)"));
    } else if (column.first) {
      input = make("input", { type: "date" });
    } else {
      input = make("input", { inputmode: "decimal", autocomplete: "off", placeholder: "missing" in column ? "missing" : "number" });
    }
    const numberOf = (text) => {
      if (Object.hasOwn(this.data.codes ?? {}, text)) return this.data.codes[text];
      if (column.first) return (Date.parse(text) - Date.parse(column.first)) / 864e5; // days
      return text === "" ? NaN : Number(text.replace(this.data.decimal ?? ".", "."));
    };
    const read = () => {
      const text = input.value.trim(), number = numberOf(text);
      const bad = text !== "" && text !== "missing" && !Number.isFinite(number);
      input.setAttribute("aria-invalid", String(bad));
      if (Number.isFinite(number)) entered.set(index, { value: number, missing: false, text });
      else if ("missing" in column && !bad && (text || !column.categories)) entered.set(index, missing(text));
      else entered.delete(index);
      change();
    };
    input.addEventListener("input", read);
    input.setAttribute("aria-label", column.name);
    if (entered.has(index)) input.value = entered.get(index).text;
    return make("label", {}, column.name, input);
  }

  // textOfField is what a field of a row looks like when it is typed in.
  textOfField(column, value) {
    if (value === null) return !column.categories ? "" : column.categories[column.missing] === "?" ? String(column.missing) : "missing";
    if (column.first) return new Date(Date.parse(column.first) + value * 864e5).toISOString().slice(0, 10);
    return String(value).replace(".", column.categories ? "." : this.data.decimal ?? ".");
  }

  // choice is the list of the data's rows; one that is chosen fills the fields.
  choice(panel, result, show) {
    const { rows, columns, classes } = this.data;
    if (!rows) return [];
    const select = make("select", {}, make("option", { value: "" }, "choose"),
      ...rows.map((row, i) => make("option", { value: i }, (row.line ? "line " + row.line : "row " + (i + 1)) + (classes ? ": " + classes[row.class] : ""))));
    select.addEventListener("input", () => {
      if (select.value === "") return;
      const row = rows[select.value];
      panel.querySelectorAll(".fields input, .fields select").forEach((input, i) => {
        input.value = this.textOfField(columns[i], row.values[i]);
        input.dispatchEvent(new Event("input"));
      });
      show();
      if (classes) result.append(make("p", {}, "Its class in the data: " + classes[row.class] + "."));
    });
    return [make("label", { class: "choice" }, "A row of the data", select)];
  }

  // rowPanel is the form of all columns that the tree uses.
  rowPanel() {
    const panel = make("div", { class: "panel", hidden: "" });
    const entered = new Map();
    const result = make("div", { role: "status" });
    const show = () => {
      const { path, steps, wanted } = this.walk(entered);
      this.mark(path);
      result.replaceChildren(make("ol", {}, ...steps.map((step) => make("li", {}, step))),
        wanted === undefined ? this.outcome(path.at(-1)) : make("p", { class: "outcome" }, "The next condition wants " + wanted + "."));
    };
    const fill = () => {
      entered.clear();
      const fields = this.data.columns.map((_, i) => this.field(i, entered, show));
      panel.replaceChildren(...this.choice(panel, result, show), make("p", {}, "Only what the tree asks for; other columns do not matter."),
        make("div", { class: "fields" }, ...fields), result,
        make("button", { type: "button", click: () => { fill(); panel.querySelector(".fields input, .fields select").focus(); } }, "Clear"));
      this.data.columns.forEach((column, i) => {
        if (!column.categories && "missing" in column) entered.set(i, { value: column.missing, missing: true });
      });
      show();
    };
    panel.begin = () => { panel.firstChild ? show() : fill(); panel.querySelector("input, select").focus(); };
    return panel;
  }

  // questionPanel asks for one condition at a time.
  questionPanel() {
    const panel = make("div", { class: "panel", hidden: "", role: "group", "aria-label": "Questionnaire" });
    const entered = new Map(); // for hyperplanes
    let path, steps;
    const button = (text, click) => make("button", { type: "button", click }, text);
    const answer = (node, side) => {
      steps.push(node.says[side]);
      path.push(node.to[side]);
      ask();
    };
    const ask = () => {
      const n = path.at(-1), node = this.data.nodes[n];
      const question = make("p", { class: "question", tabindex: "-1" });
      const parts = [question];
      this.mark(path);
      if (!node.terms) {
        question.append(this.outcome(n));
        parts.push(make("ol", {}, ...steps.map((step) => make("li", {}, step))));
      } else if (node.terms.length === 1) {
        const yes = node.says.indexOf(this.textOf(n));
        question.append((path.length) + ". " + this.textOf(n) + "?");
        parts.push(button("Yes", () => answer(node, yes)), " ", button("No", () => answer(node, 1 - yes)));
      } else {
        question.append((path.length) + ". What are these?");
        const next = button("Next", () => answer(node, this.goesLeft(node, entered) ? 0 : 1));
        const ready = () => { next.disabled = node.terms.some(([column]) => !entered.has(column)); };
        const columns = [...new Set(node.terms.map(([column]) => column))];
        parts.push(make("div", { class: "fields" }, ...columns.map((i) => this.field(i, entered, ready))), next);
        ready();
      }
      if (path.length > 1) parts.push(" ", button("Back", () => { path.pop(); steps.pop(); ask(); }), " ", button("Start again", () => panel.begin()));
      panel.replaceChildren(...parts);
      question.focus();
    };
    panel.begin = () => { path = [0]; steps = []; entered.clear(); ask(); };
    return panel;
  }
}

for (const element of document.querySelectorAll(".tree")) new TreeView(element);

// The page's own choice of light or dark comes before that of the system.
{
  const names = ["system", "light", "dark"];
  const select = make("select", {
    "aria-label": "Colours", change: () => { document.documentElement.dataset.theme = select.value; },
  }, ...names.map((name) => make("option", {}, name)));
  document.querySelector("header")?.prepend(make("label", { class: "theme" }, "Colours: ", select));
}
