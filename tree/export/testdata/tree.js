// A decision tree, written by octgen. Any browser or Node; nothing else is needed.
//
// predict(row) returns the class of a row, predict_proba(row) the share of each of
// CLASSES in the training weight of its leaf. A row is an object with the keys of
// COLUMNS; others are passed over, and one that is not there is an error. Numbers may
// be texts. null, undefined, NaN and "" are missing. A row without a class has null: a
// field is missing and nothing stands for it, a number is none, or a text is unknown.
// In a browser the functions are those of the global octgen.
"use strict";
const octgen = (function () {
const CLASSES = ["\u003c/script>", "it's"];
const COLUMNS = ["age", "the \"colour\""];
const LEAVES = [
  [0, [1.0, 0.0]],
  [0, [0.3333333333333333, 0.6666666666666666]],
  [1, [0.0, 1.0]],
  [1, [0.0, 1.0]],
];

const TEXTS0 = new Map([
    ["", null],
    ["?", null],
    ["N/A", null],
    ["NA", null],
    ["NULL", null],
    ["NaN", null],
    ["n/a", null],
    ["nan", null],
    ["null", null],
]);

const TEXTS1 = new Map([
    ["blue", 0],
    ["it's", 1],
    ["red", 2],
    ["", 3],
    ["?", 3],
    ["N/A", 3],
    ["NA", 3],
    ["NULL", 3],
    ["NaN", 3],
    ["n/a", 3],
    ["nan", 3],
    ["null", 3],
]);

const DECIMAL = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
const BLANKS = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

function field(row, name) {
  if (!Object.prototype.hasOwnProperty.call(row, name)) throw new Error("the row has no column " + JSON.stringify(name));
  const value = row[name];
  return value === null || value === undefined || Number.isNaN(value) ? "" : value;
}

// The number, null where it is missing, NaN where it is none.
function number(value, texts, comma = false) {
  const isText = typeof value === "string";
  if (isText) value = value.replace(BLANKS, "");
  if (texts.has(value)) return texts.get(value);
  if (!isText) return Number(value);
  if (comma) value = value.replaceAll(".", "_").replace(",", ".");
  return DECIMAL.test(value) ? Number(value) : NaN;
}

function category(value, texts, unknown) {
  const text = String(value).replace(BLANKS, "");
  return texts.has(text) ? texts.get(text) : unknown;
}

function leaf(row) {
  let x0 = number(field(row, "age"), TEXTS0);
  const m0 = x0 === null;
  if (x0 === null) x0 = 2.8333333333333335;
  if (x0 === null || !(Math.abs(x0) <= 1e+300)) return -1;
  const c1 = category(field(row, "the \"colour\""), TEXTS1, -2);
  if (c1 === -2) return -1;
  if (x0 < 0.30000000000000004) {
    return 0;
  }
  if (c1 !== 0) {
    if (-0.1 * x0 + 2.0 * Number(m0) + 1.0 * Number(c1 === 2) < 0.3333333333333333) {
      return 1;
    }
    return 2;
  }
  return 3;
}

function predict(row) {
  const at = leaf(row);
  return at < 0 ? null : CLASSES[LEAVES[at][0]];
}

function predict_proba(row) {
  const at = leaf(row);
  return at < 0 ? null : LEAVES[at][1].slice();
}

return { CLASSES, COLUMNS, predict, predict_proba };
})();
if (typeof module !== "undefined") module.exports = octgen;
