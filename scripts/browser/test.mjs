// What the script of the pages does, in a browser: in this folder, made by browser.sh,
// are run/report.html, and trees as NAME.html with their data and predictions.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const url = (file) => new URL(file, import.meta.url).href;
const csv = (file) => readFileSync(file, "utf8").trim().split("\n").map((line) => line.trim().split(","));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });

// open shows a page and fails the test on what its script throws or asks of the network.
async function open(file, options) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(10000);
  page.on("pageerror", (error) => { throw error; });
  page.on("request", (request) => assert.match(request.url(), /^(file|blob|data):/));
  await page.goto(url(file));
  return page;
}

// sound: axe finds nothing, and there is nothing to scroll sideways.
async function sound(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run());
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 150)).join(" | ")}`), [], what);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} scrolls sideways`);
}

const lastOn = (page) => page.evaluate(() => Math.max(...[...document.querySelectorAll("li.on")].map((li) => Number(li.dataset.n))));

// rows: every row of the data that is entered comes to the leaf that octgen predicts.
async function rows(name, every) {
  const page = await open(name + ".html");
  const [head, ...data] = csv(name + ".csv"), [, ...leaves] = csv(name + "-leaves.csv");
  assert.equal(data.length, leaves.length);
  await page.getByRole("button", { name: "Enter a row" }).click();
  const fields = await page.locator(".fields label").evaluateAll((labels) => labels.map((l) => [l.firstChild.textContent, l.querySelector("select") !== null]));
  assert.ok(fields.length > 0);
  for (let i = 0; i < data.length; i += every) {
    for (const [column, isChoice] of fields) {
      const value = data[i][head.indexOf(column)], field = page.getByLabel(column, { exact: true });
      if (isChoice) await field.selectOption({ label: value === "" ? "(missing)" : value });
      else await field.fill(value);
    }
    assert.equal(await lastOn(page), Number(leaves[i][2]), `${name}, row ${i + 1}`);
  }
  await page.close();
}

// chosen: a row of the data that is chosen comes to the leaf that octgen predicts.
async function chosen(name) {
  const page = await open(name + ".html");
  const [, ...leaves] = csv(name + "-leaves.csv");
  await page.getByRole("button", { name: "Enter a row" }).click();
  const select = page.getByLabel("A row of the data");
  const { length } = await select.locator("option").all();
  assert.equal(length, leaves.length + 1);
  for (let i = 0; i < leaves.length; i++) {
    await select.selectOption({ index: i + 1 });
    assert.equal(await lastOn(page), Number(leaves[i][2]), `${name}, chosen row ${i + 1}`);
  }
  assert.match(await page.locator("[role=status]").textContent(), /Its class in the data: (yes|no)\./);
  await page.close();
}

// kinds: pictures of all kinds of trees, wide and narrow, light and dark; no text is cut off.
async function kinds() {
  mkdirSync("screenshots", { recursive: true });
  const files = [...readdirSync(".").filter((f) => /^kind-.*\.html$/.test(f)), "run/report.html"];
  assert.ok(files.length >= 10);
  for (const file of files) for (const width of [360, 800, 1440, 2560]) {
    const colorScheme = width === 800 ? "dark" : "light";
    const page = await open(file, { viewport: { width, height: 900 }, colorScheme });
    await sound(page, `${file}, ${width} px, ${colorScheme}`);
    const cut = await page.locator(".node, .rules li, .badge").evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1).map((e) => e.textContent.trim().slice(0, 60)));
    assert.deepEqual(cut, [], `${file}, ${width} px, is cut off`);
    await page.screenshot({ path: `screenshots/${file.replace(/.*kind-|\/.*|\.html/g, "")}-${width}.png`, fullPage: true });
    await page.close();
  }
}

async function treePage() {
  const page = await open("loans.html");
  const leaves = () => page.locator(".nodes .leaf:visible").count();
  const all = await leaves();
  const fold = page.locator("li[data-n='0'] > .node > .fold");
  await fold.press("Enter");
  assert.equal(await fold.getAttribute("aria-expanded"), "false");
  assert.equal(await leaves(), 0);
  await page.getByRole("button", { name: "Unfold all" }).click();
  assert.equal(await leaves(), all);

  await page.getByRole("button", { name: "Questionnaire" }).click();
  const text = await page.locator("li[data-n='0'] > .node .text").textContent();
  assert.match(await page.locator(".question").textContent(), new RegExp("^1\\. "));
  assert.ok((await page.locator(".question").textContent()).includes(text));
  let questions = 0;
  for (; await page.getByRole("button", { name: "Yes", exact: true }).count() > 0; questions++) {
    await page.getByRole("button", { name: "Yes", exact: true }).click();
  }
  assert.ok(questions > 0);
  assert.match(await page.locator(".question").textContent(), /^if .+: (yes|no) \(\d+ of \d+\)/);
  assert.equal(await page.locator("li.on").count(), questions + 1);
  await page.getByRole("button", { name: "Back" }).click();
  assert.equal(await page.locator("li.on").count(), questions);
  await page.close();

  const planes = await open("planes.html");
  await planes.getByRole("button", { name: "Questionnaire" }).click();
  const next = planes.getByRole("button", { name: "Next" });
  assert.ok(await next.isDisabled());
  for (const field of await planes.locator(".fields input").all()) await field.fill("1.5");
  await next.click();
  assert.equal(await planes.locator("li.on").count(), 2);
  await planes.close();
}

async function reportPage() {
  const page = await open("run/report.html");
  // Trees: one data, two methods, one fold.
  const shown = () => page.locator("article:visible .pair figure").evaluateAll((all) => all.map((f) => f.dataset.method + ", " + f.dataset.division));
  const first = await shown();
  assert.equal(first.length, 2);
  assert.match(first[0], /^OCT, fold /);
  assert.match(first[1], /^CART, fold /);
  const tabs = page.locator("article:visible").getByRole("tab");
  assert.equal(await tabs.count(), 3);
  await tabs.nth(2).click();
  assert.deepEqual(await shown(), ["OCT, fold 3", "CART, fold 3"]);
  await tabs.nth(2).press("ArrowRight");
  assert.deepEqual(await shown(), ["OCT, fold 1", "CART, fold 1"]);
  await page.locator("article:visible").getByLabel("Tree of").selectOption("MSMT");
  assert.deepEqual(await shown(), ["MSMT, fold 1", "CART, fold 1"]);
  await page.getByLabel("Data", { exact: true }).selectOption("breast-cancer");
  assert.equal(await page.locator("article:visible h3").textContent(), "breast-cancer");

  // The table: another metric, sorted both ways, as CSV.
  await page.getByLabel("Metric").selectOption("Splits");
  assert.equal(await page.locator(".metric:visible h3").textContent(), "Splits");
  await page.getByLabel("Metric").selectOption("Test error");
  const column = () => page.locator(".metric:visible tbody tr").evaluateAll((all) => all.map((row) => Number(row.cells[1].dataset.v)));
  const head = page.locator(".metric:visible thead th").nth(1);
  await head.getByRole("button").click();
  const up = await column();
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  await head.getByRole("button").click();
  assert.deepEqual(await column(), up.reverse());
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".metric:visible .csv").click()]);
  assert.equal(file.suggestedFilename(), "browser-Test-error.csv");
  const lines = csv(await file.path());
  assert.deepEqual(lines[0], ["data", "CART", "CART standard error", "OCT", "OCT standard error", "MSMT", "MSMT standard error"]);
  assert.ok(Number(lines[1][1]) > 0 && Number(lines[1][2]) >= 0);
  assert.deepEqual(await page.evaluate(() => {
    const table = document.createElement("table");
    table.innerHTML = '<tr><th>=1+1</th><td>-2</td><td>a "b", c</td><td>@x</td></tr>';
    return csvOf(table);
  }), "'=1+1,-2,\"a \"\"b\"\", c\",'@x\n");

  // The legend hides a method in all plots, and brings it back.
  const marks = () => page.locator("svg.plot .m1:visible").count();
  const before = await marks();
  assert.ok(before > 0);
  const toggle = page.locator(".legend").getByRole("button", { name: "OCT", exact: true });
  await toggle.click();
  assert.equal(await toggle.getAttribute("aria-pressed"), "false");
  assert.equal(await marks(), 0);
  await toggle.click();
  assert.equal(await marks(), before);

  // Dark, by the switch.
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByLabel("Colours").selectOption("dark");
  assert.notEqual(await paper(), light);
  await page.getByLabel("Colours").selectOption("light");
  assert.equal(await paper(), light);
  await page.close();

  // Without a script all is there.
  const plain = await open("run/report.html", { javaScriptEnabled: false });
  assert.equal(await plain.locator("article").count(), await plain.locator("article:visible").count());
  assert.equal(await plain.locator(".metric").count(), await plain.locator(".metric:visible").count());
  assert.equal(await plain.locator(".pair figure:visible").count(), 4);
  await plain.close();
}

// frontierPage: the curves and tables of constraints, which the legend of methods leaves alone.
async function frontierPage() {
  const page = await open("frontiers/report.html");
  const section = page.locator("#frontier-1");
  assert.equal(await section.locator("svg.plot:visible").count(), 3);
  assert.deepEqual(await section.locator("tbody th").allTextContents(), ["≤ 0.05", "≤ 0.1", "≤ 0.2"]);
  assert.match(await page.locator("#frontier-2 tbody tr").nth(1).textContent(), /no tree satisfies them all in 3 of 3, proved by/);
  const marks = () => page.locator("#constraints svg.plot path:visible").count();
  const before = await marks();
  for (const toggle of await page.locator(".legend button").all()) await toggle.click();
  assert.equal(await marks(), before);
  const [file] = await Promise.all([page.waitForEvent("download"), section.locator(".csv").click()]);
  assert.equal(csv(await file.path()).length, 4);
  await page.close();
}

for (const name of ["loans", "planes"]) await rows(name, 5);
await chosen("loans");
await treePage();
await kinds();
await reportPage();
await frontierPage();
for (const file of ["run/report.html", "frontiers/report.html", "loans.html", "planes.html"]) {
  for (const width of [1280, 390, 360, 2560]) for (const colorScheme of ["light", "dark"]) {
    const page = await open(file, { viewport: { width, height: 844 }, colorScheme });
    await sound(page, `${file}, ${width} px, ${colorScheme}`);
    await page.getByRole("button", { name: "Enter a row" }).and(page.locator(":visible")).first().click();
    await page.locator("details").evaluateAll((all) => all.forEach((d) => { d.open = true; }));
    await sound(page, `${file}, ${width} px, ${colorScheme}, with all open`);
    await page.close();
  }
}
await browser.close();
console.log("browser: passed");
