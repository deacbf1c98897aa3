"use strict";
// Positions are counted from 0 here, and shown from 1.  The steps of alignments, and letters, are unpacked as they are
// needed; nothing is drawn but what is in the window.
const started = performance.now();
const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const EQUAL = 0, DIFFERENT = 1, INSERTION = 2, DELETION = 3;
const COLOURS = ["#9cc3e0", "#d55e00", "#cc79a7", "#009e73"];
const commas = number => Math.round(number).toLocaleString("en");

function bytesOf(id) {
  const text = atob($(id).textContent), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  $(id).remove();
  return bytes;
}
const packedSteps = bytesOf("packed-steps"), packedLetters = bytesOf("packed-letters");

// The last index whose value is not above x; -1 where there is none.
function lastUpTo(values, x, count = values.length) {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1; else high = middle;
  }
  return low - 1;
}

// Two bits a letter, and a list of stretches of other letters: where, how many, which.
function letterAt(i) {
  if (!data.dna) return String.fromCharCode(packedLetters[i]);
  const other = lastUpTo(data.others.at, i);
  if (other >= 0 && i < data.others.at[other] + data.others.count[other]) return data.others.letter[other];
  return data.bases[packedLetters[i >> 2] >> 2 * (i & 3) & 3];
}

// The alignments, as columns of one table; where the steps and letters of each begin.
const A = data.alignments, count = A.query.length;
A.stepsAt = [0];
A.lettersAt = [data.targets.reduce((sum, target) => sum + target.letters, 0)];
for (let i = 0; i < count; ++i) {
  A.stepsAt.push(A.stepsAt[i] + A.steps[i]);
  A.lettersAt.push(A.lettersAt[i] + A.letters[i]);
}
data.targets.reduce((sum, target) => { target.lettersAt = sum; return sum + target.letters; }, 0);

// Where each step of an alignment begins: column, target, query (as it was aligned), letter.  The last few are kept.
const unpacked = new Map();
function stepsOf(i) {
  if (unpacked.has(i)) return unpacked.get(i);
  let number = 0, factor = 1, steps = 0;
  for (let at = A.stepsAt[i]; at < A.stepsAt[i + 1]; ++at) steps += packedSteps[at] < 128;
  const made = {count: steps, kind: new Uint8Array(steps), length: new Uint32Array(steps), column: new Float64Array(steps + 1),
                target: new Float64Array(steps + 1), query: new Float64Array(steps + 1), letter: new Float64Array(steps + 1)};
  made.target[0] = A.targetBegin[i];
  made.letter[0] = A.lettersAt[i];
  let k = 0;
  for (let at = A.stepsAt[i]; at < A.stepsAt[i + 1]; ++at) {
    number += (packedSteps[at] & 127) * factor;
    factor *= 128;
    if (packedSteps[at] > 127) continue;
    const kind = number % 8, length = Math.floor(number / 8);
    made.kind[k] = kind;
    made.length[k] = length;
    made.column[k + 1] = made.column[k] + length;
    made.target[k + 1] = made.target[k] + (kind === INSERTION ? 0 : length);
    made.query[k + 1] = made.query[k] + (kind === DELETION ? 0 : length);
    made.letter[k + 1] = made.letter[k] + (kind === DIFFERENT || kind === INSERTION ? length : 0);
    ++k;
    number = 0;
    factor = 1;
  }
  unpacked.set(i, made);
  if (unpacked.size > 20000) unpacked.delete(unpacked.keys().next().value);
  return made;
}

// State: the target that is shown, the window on it, the chosen alignment, and the column at which its letters begin.
let shown = 0, from = 0, span = 1, chosen = data.first, column = 0, marked = -1;

// Of a target: its alignments by where they begin, the row of each, and where the coverage changes.
const layouts = new Map();
function layoutOf(target) {
  if (layouts.has(target)) return layouts.get(target);
  const list = [];
  for (let i = 0; i < count; ++i) if (A.target[i] === target) list.push(i);
  list.sort((a, b) => A.targetBegin[a] - A.targetBegin[b] || A.targetEnd[b] - A.targetEnd[a]);
  const gap = data.targets[target].length / 400, ends = [], rowOf = new Map();
  for (const i of list) {
    let row = ends.findIndex(end => end <= A.targetBegin[i]);
    if (row < 0) row = ends.push(0) - 1;
    ends[row] = A.targetEnd[i] + Math.min(gap, (A.targetEnd[i] - A.targetBegin[i]) / 20);
    rowOf.set(i, row);
  }
  const events = list.map(i => [A.targetBegin[i], 1]).concat(list.map(i => [A.targetEnd[i], -1]));
  events.sort((a, b) => a[0] - b[0]);
  const at = [0], depth = [0];
  for (const [position, change] of events) {
    if (position !== at[at.length - 1]) { at.push(position); depth.push(depth[depth.length - 1]); }
    depth[depth.length - 1] += change;
  }
  const made = {list, rowOf, rows: ends.length, at, depth, deepest: depth.reduce((a, b) => Math.max(a, b), 0)};
  layouts.set(target, made);
  return made;
}

// A canvas with as many dots as the screen has; returns what to draw with, and its width in CSS pixels.
function prepare(canvas, height) {
  const ratio = window.devicePixelRatio || 1, width = canvas.parentElement.clientWidth - (canvas.id === "rows" ? 0 : 40);
  canvas.style.height = height + "px";
  canvas.style.width = width + "px";
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const draw = canvas.getContext("2d");
  draw.scale(ratio, ratio);
  draw.font = "11px 'DejaVu Sans', Arial, sans-serif";
  return [draw, width];
}

function drawCoverage(draw, width, top, height, begin, letters) {
  const layout = layoutOf(shown), scale = width / letters;
  draw.fillStyle = "#8fa7b8";
  for (let k = Math.max(0, lastUpTo(layout.at, begin)); k < layout.at.length && layout.at[k] < begin + letters; ++k) {
    const until = k + 1 < layout.at.length ? layout.at[k + 1] : data.targets[shown].length;
    const x = (layout.at[k] - begin) * scale, tall = height * layout.depth[k] / Math.max(1, layout.deepest);
    draw.fillRect(x, top + height - tall, Math.max((until - layout.at[k]) * scale, 0.5), tall);
  }
  draw.fillStyle = "#333";
  draw.textAlign = "left";
  draw.fillText(`coverage, up to ${commas(layout.deepest)}`, 4, top + 10);
}

function ruler(draw, width, y, begin, letters) {
  const rough = 90 * letters / width, power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough) || 1;
  draw.fillStyle = draw.strokeStyle = "#333";
  draw.textAlign = "center";
  for (let at = Math.ceil((begin + 1) / step) * step; at <= begin + letters; at += step) {
    const x = (at - 0.5 - begin) * width / letters;
    draw.fillRect(x, y, 1, 5);
    if (x > 30 && x < width - 30) draw.fillText(commas(at), x, y + 16);
  }
}

// Shares of equal columns of an alignment, in equal parts of the target; computed once for the chosen one.
let identities = {of: -1};
function identitiesOf(i, parts) {
  if (identities.of === i && identities.parts === parts) return identities;
  const equal = new Float64Array(parts), all = new Float64Array(parts), steps = stepsOf(i), per = data.targets[shown].length / parts;
  for (let k = 0; k < steps.count; ++k) {
    let at = steps.target[k], end = steps.target[k + 1];
    const part = Math.min(parts - 1, Math.floor(at / per));
    if (at === end) { all[part] += steps.length[k]; continue; }
    for (let p = part; at < end && p < parts; ++p) {
      const to = Math.min(end, (p + 1) * per);
      all[p] += to - at;
      if (steps.kind[k] === EQUAL) equal[p] += to - at;
      at = to;
    }
  }
  return identities = {of: i, parts, equal, all};
}

function drawOverview() {
  const [draw, width] = prepare($("overview"), 96), length = data.targets[shown].length;
  drawCoverage(draw, width, 0, 32, 0, length);
  const parts = Math.min(Math.floor(width), length), {equal, all} = identitiesOf(chosen, parts);
  for (let p = 0; p < parts; ++p)
    if (all[p] > 0) {
      const share = equal[p] / all[p], x = p * width / parts;
      draw.fillStyle = "#9cc3e0";
      draw.fillRect(x, 72 - 34 * share, width / parts + 0.3, 34 * share);
      draw.fillStyle = "#d55e00";
      if (share < 1) draw.fillRect(x, 38, width / parts + 0.3, 34 * (1 - share));
    }
  draw.fillStyle = "#333";
  draw.textAlign = "left";
  draw.fillText(`identity of alignment ${commas(chosen + 1)}`, 4, 49);
  ruler(draw, width, 74, 0, length);
  draw.strokeStyle = "#005a9c";
  draw.lineWidth = 2;
  draw.strokeRect(from * width / length, 1, Math.max(span * width / length, 2), 72);
}

// One alignment in its row: runs of columns, or, where a pixel holds many, the share of differences per pixel.
function drawAlignment(draw, i, y, height, width) {
  const scale = width / span, begin = Math.max(from, A.targetBegin[i]), end = Math.min(from + span, A.targetEnd[i]);
  draw.fillStyle = COLOURS[EQUAL];
  draw.fillRect((begin - from) * scale, y, Math.max((end - begin) * scale, 1), height);
  const steps = stepsOf(i), first = Math.max(0, lastUpTo(steps.target, begin, steps.count));
  if (scale < 0.5) {
    const left = Math.max(0, Math.floor((begin - from) * scale)), pixels = Math.ceil((end - from) * scale) - left + 1;
    const seen = [null, new Float32Array(pixels), new Float32Array(pixels), new Float32Array(pixels)];
    for (let k = first; k < steps.count && steps.target[k] < end; ++k) {
      const kind = steps.kind[k];
      if (kind === EQUAL) continue;
      const a = Math.max(0, (Math.max(steps.target[k], begin) - from) * scale - left);
      const b = Math.max(a, (Math.min(steps.target[k + 1], end) - from) * scale - left);
      if (kind === INSERTION || b - a < 1) seen[kind][Math.min(pixels - 1, a | 0)] += steps.length[k] * scale;
      else for (let p = a | 0; p < b && p < pixels; ++p) seen[kind][p] += Math.min(1, b - p);
    }
    for (const kind of [DELETION, INSERTION, DIFFERENT]) {
      draw.fillStyle = COLOURS[kind];
      for (let p = 0; p < pixels; ++p)
        if (seen[kind][p] > 0) {
          draw.globalAlpha = Math.min(1, 0.12 + 1.5 * seen[kind][p]);
          draw.fillRect(left + p, y, 1, height);
        }
    }
    draw.globalAlpha = 1;
  } else {
    const letters = scale >= 8 && height >= 12;
    draw.textAlign = "center";
    for (let k = first; k < steps.count && steps.target[k] <= end; ++k) {
      const kind = steps.kind[k], x = (steps.target[k] - from) * scale, wide = (steps.target[k + 1] - steps.target[k]) * scale;
      if (kind === INSERTION) {
        draw.fillStyle = COLOURS[kind];
        draw.fillRect(x - 1.5, y, 3, height);
      } else if (kind === DELETION) {
        draw.fillStyle = "#fff";
        draw.fillRect(x, y, wide, height);
        draw.fillStyle = COLOURS[kind];
        draw.fillRect(x, y + height / 2 - 1, wide, 2);
      } else {
        if (kind === DIFFERENT) {
          draw.fillStyle = COLOURS[kind];
          draw.fillRect(x, y, wide, height);
        }
        draw.fillStyle = kind === DIFFERENT ? "#fff" : "#234";
        if (letters)
          for (let j = Math.max(0, begin - steps.target[k]); j < steps.length[k] && steps.target[k] + j < end; ++j)
            draw.fillText(queryLetter(i, steps, k, j), x + (j + 0.5) * scale, y + height - 3);
      }
    }
  }
  if (i === chosen) {
    draw.strokeStyle = "#111";
    draw.lineWidth = 1.5;
    draw.strokeRect((begin - from) * scale, y - 0.5, Math.max((end - begin) * scale, 2), height + 1);
  }
}

function targetLetter(target, position) {
  const {lettersAt, lettersBegin} = data.targets[target];
  return letterAt(lettersAt + position - lettersBegin);
}

function queryLetter(i, steps, k, j) {
  return steps.kind[k] === EQUAL ? targetLetter(A.target[i], steps.target[k] + j) : letterAt(steps.letter[k] + j);
}

let rowHeight = 12;
const MOST_ROWS = 1500, MOST_BYTES = 6e6;
function drawRows() {
  const layout = layoutOf(shown), rows = Math.min(layout.rows, MOST_ROWS);
  rowHeight = layout.rows <= 40 ? 14 : layout.rows <= 150 ? 7 : 4;
  const [draw, width] = prepare($("rows"), rows * rowHeight + 4);
  const visible = layout.list.filter(i => A.targetBegin[i] < from + span && A.targetEnd[i] > from && layout.rowOf.get(i) < rows);
  const bytes = visible.reduce((sum, i) => sum + A.steps[i], 0);
  for (const i of visible) {
    const y = layout.rowOf.get(i) * rowHeight + 2, height = rowHeight > 4 ? rowHeight - 2 : rowHeight - 1;
    if (bytes <= MOST_BYTES || i === chosen) { drawAlignment(draw, i, y, height, width); continue; }
    const share = 1 - A.equal[i] / Math.max(1, A.columns[i]); // too many to look at each column
    draw.fillStyle = share < 0.05 ? COLOURS[EQUAL] : share < 0.2 ? "#d9b8a0" : "#e0884a";
    draw.fillRect((A.targetBegin[i] - from) * width / span, y, Math.max((A.targetEnd[i] - A.targetBegin[i]) * width / span, 1), height);
  }
  $("more").textContent = layout.rows > rows ? `${commas(layout.rows - rows)} more rows are not drawn: the table has all alignments.` : "";
}

function drawTracks() {
  const [draw, width] = prepare($("tracks"), 84);
  ruler(draw, width, 62, from, span);
  const scale = width / span;
  const target = data.targets[shown];
  if (scale >= 8) {
    draw.font = "12px 'DejaVu Sans Mono', monospace";
    draw.textAlign = "center";
    draw.fillStyle = "#111";
    for (let at = Math.floor(from); at < from + span && at < target.length; ++at)
      if (at >= target.lettersBegin && at < target.lettersBegin + target.letters)
        draw.fillText(targetLetter(shown, at), (at + 0.5 - from) * scale, 58);
    draw.font = "11px 'DejaVu Sans', Arial, sans-serif";
  }
  drawCoverage(draw, width, 2, scale >= 8 ? 42 : 58, from, span);
  $("window").textContent = `${commas(from + 1)} to ${commas(Math.min(from + span, target.length))} of ${commas(target.length)}`;
}

// The letters of the chosen alignment, from `column` on, as blocks of three lines.
let perLine = 60;
const BLOCKS = 8;
function drawLetters() {
  const i = chosen, steps = stepsOf(i), total = A.columns[i], reverse = A.reverse[i];
  const queryName = data.queries[A.query[i]].name, targetName = data.targets[A.target[i]].name;
  perLine = Math.max(20, Math.floor((($("letters").clientWidth - 16) / 7.85 - 44) / 10) * 10);
  const label = name => (name.length > 16 ? name.slice(0, 15) + "\u2026" : name).padEnd(17);
  const queryShown = position => reverse ? A.queryEnd[i] - position : A.queryBegin[i] + position + 1;
  const escape = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  let html = "", k = Math.max(0, lastUpTo(steps.column, column, steps.count));
  for (let line = column; line < total && line < column + BLOCKS * perLine; line += perLine) {
    const end = Math.min(total, line + perLine), texts = ["", "", ""];
    while (k < steps.count - 1 && steps.column[k + 1] <= line) ++k;
    const at = (where, extra) => where[k] + extra;
    const inside = line - steps.column[k];
    let target = at(steps.target, steps.kind[k] === INSERTION ? 0 : inside), query = at(steps.query, steps.kind[k] === DELETION ? 0 : inside);
    const targetFrom = target, queryFrom = query;
    for (let c = line; c < end; ++c) {
      while (steps.column[k + 1] <= c) ++k;
      const kind = steps.kind[k], j = c - steps.column[k], mark = kind === EQUAL ? "" : kind === DIFFERENT ? "x" : kind === INSERTION ? "i" : "d";
      const classes = (mark + (c === marked ? " here" : "")).trim();
      const wrap = letter => classes ? `<span class="${classes}">${escape(letter)}</span>` : escape(letter);
      texts[0] += wrap(kind === INSERTION ? "-" : targetLetter(A.target[i], steps.target[k] + j));
      texts[1] += kind === EQUAL ? "|" : kind === DIFFERENT ? "." : " ";
      texts[2] += wrap(kind === DELETION ? "-" : queryLetter(i, steps, k, j));
      target += kind === INSERTION ? 0 : 1;
      query += kind === DELETION ? 0 : 1;
    }
    const number = (first, after, text) => String(after > first ? text(first) : "").padStart(12);
    html += `<span class="quiet">${escape(label(targetName))}${number(targetFrom, target, p => p + 1)}</span> ${texts[0]} <span class="quiet">${target}</span>\n` +
            `${" ".repeat(29)} <span class="quiet">${texts[1]}</span>\n` +
            `<span class="quiet">${escape(label(queryName))}${number(queryFrom, query, queryShown)}</span> ${texts[2]} <span class="quiet">${query > queryFrom ? queryShown(query - 1) : ""}</span>\n\n`;
  }
  $("letters").innerHTML = `<span class="quiet">Alignment ${commas(i + 1)}: columns ${commas(column + 1)} to ` +
    `${commas(Math.min(total, column + BLOCKS * perLine))} of ${commas(total)}${reverse ? "; the query is on the reverse strand" : ""}</span>\n\n` + html;
}

// A page of the table.
let filtered = null, tableFrom = 0;
const TABLE_ROWS = 100;
function drawTable() {
  if (filtered === null) {
    const wanted = $("filter").value.toLowerCase();
    filtered = [];
    for (let i = 0; i < count; ++i)
      if (!wanted || data.queries[A.query[i]].name.toLowerCase().includes(wanted) || data.targets[A.target[i]].name.toLowerCase().includes(wanted))
        filtered.push(i);
  }
  const body = $("table");
  body.replaceChildren();
  for (const i of filtered.slice(tableFrom, tableFrom + TABLE_ROWS)) {
    const row = body.insertRow();
    row.dataset.alignment = i;
    if (i === chosen) row.className = "selected";
    const cells = [commas(i + 1), data.queries[A.query[i]].name, data.targets[A.target[i]].name, A.reverse[i] ? "\u2212" : "+",
                   commas(A.queryBegin[i] + 1), commas(A.queryEnd[i]), commas(A.targetBegin[i] + 1), commas(A.targetEnd[i]),
                   commas(A.columns[i]), (100 * A.equal[i] / Math.max(1, A.columns[i])).toFixed(2) + " %",
                   A.score[i] === null ? "" : commas(A.score[i])];
    for (const cell of cells) row.insertCell().textContent = cell;
  }
  const last = Math.min(filtered.length, tableFrom + TABLE_ROWS);
  $("rows-shown").textContent = filtered.length ? `${commas(tableFrom + 1)} to ${commas(last)} of ${commas(filtered.length)}` : "none";
}

function clampWindow() {
  const length = data.targets[shown].length;
  span = Math.min(Math.max(span, Math.min(20, length)), length);
  from = Math.min(Math.max(from, 0), length - span);
}

let waiting = false;
function draw() {
  clampWindow();
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(drawNow);
}

function drawNow() {
  waiting = false;
  clampWindow();
  drawOverview();
  drawTracks();
  drawRows();
  drawLetters();
}

function message(text) { $("message").textContent = text; }

function choose(i, atColumn = 0) {
  chosen = i;
  column = Math.max(0, Math.min(atColumn, A.columns[i] - 1));
  if (A.target[i] !== shown) { shown = A.target[i]; $("target").value = shown; from = 0; span = data.targets[shown].length; }
  drawTable();
}

// Shows a column of the chosen alignment: its letters, and the window around it.
function goToColumn(wanted) {
  const steps = stepsOf(chosen), k = Math.max(0, lastUpTo(steps.column, wanted, steps.count));
  const position = steps.target[k] + (steps.kind[k] === INSERTION ? 0 : wanted - steps.column[k]);
  marked = wanted;
  column = Math.max(0, wanted - wanted % perLine - (wanted >= perLine ? perLine : 0));
  if (span > 400 || position < from || position >= from + span) {
    span = Math.min(span, 400);
    from = position - span / 2;
  }
  $("target").value = shown;
  draw();
}

const covers = (i, what, position) => what === "target" ? A.targetBegin[i] <= position && position < A.targetEnd[i]
                                                       : A.queryBegin[i] <= position && position < A.queryEnd[i];

// "123", "name:123"; what: target, query or column.
function search(what, given) {
  const colon = given.lastIndexOf(":"), name = colon < 0 ? "" : given.slice(0, colon).trim();
  const position = Number(given.slice(colon + 1).replace(/[, ]/g, "")) - 1;
  if (!Number.isInteger(position) || position < 0) return message("a position is a whole number from 1 on");
  if (what === "column") {
    if (position >= A.columns[chosen]) return message(`this alignment has ${commas(A.columns[chosen])} columns`);
    message("");
    return goToColumn(position);
  }
  const names = what === "target" ? data.targets : data.queries, side = what === "target" ? A.target : A.query;
  const wanted = name ? names.findIndex(each => each.name === name) : side[chosen];
  if (wanted < 0) return message(`no ${what} is named ${name}`);
  if (position >= names[wanted].length) return message(`${names[wanted].name} has ${commas(names[wanted].length)} letters`);
  let found = side[chosen] === wanted && covers(chosen, what, position) ? chosen : -1;
  for (let i = 0; i < count && found < 0; ++i) if (side[i] === wanted && covers(i, what, position)) found = i;
  if (found < 0) {
    if (what === "target") { shown = wanted; $("target").value = shown; span = Math.min(400, names[wanted].length); from = position - span / 2; draw(); }
    return message(`no alignment covers ${names[wanted].name}:${commas(position + 1)}`);
  }
  message("");
  if (found !== chosen) choose(found);
  const steps = stepsOf(found);
  const aligned = what === "target" ? position : A.reverse[found] ? A.queryEnd[found] - 1 - position : position - A.queryBegin[found];
  const places = what === "target" ? steps.target : steps.query;
  let k = lastUpTo(places, aligned, steps.count);
  while (places[k + 1] <= aligned) ++k;
  goToColumn(steps.column[k] + aligned - places[k]);
}

// The begin of the next step that is not equal, in a direction, from the marked column.
function nextDifference(direction) {
  const steps = stepsOf(chosen), here = marked >= 0 ? marked : direction > 0 ? column - 1 : column;
  let k = here < 0 ? -1 : lastUpTo(steps.column, here, steps.count);
  if (direction < 0 && k >= 0 && steps.kind[k] !== EQUAL && steps.column[k] < here) return goToColumn(steps.column[k]);
  for (k += direction; k >= 0 && k < steps.count; k += direction)
    if (steps.kind[k] !== EQUAL) { message(""); return goToColumn(steps.column[k]); }
  message(`there is no difference ${direction > 0 ? "after" : "before"} this column`);
}

function zoom(factor, share = 0.5) {
  const before = span;
  span *= factor;
  clampWindow();
  from += (before - span) * share;
  draw();
}

// "#target=123", "#query=name:5", "#column=7", each with "&alignment=2": a link to a place.
function followHash() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const alignment = Number(wanted.get("alignment")) - 1;
  if (wanted.has("alignment") && Number.isInteger(alignment) && alignment >= 0 && alignment < count) choose(alignment);
  for (const what of ["target", "query", "column"])
    if (wanted.has(what)) search(what, wanted.get(what));
}

function dragged(canvas, move) {
  let held = null;
  canvas.addEventListener("pointerdown", event => { held = event.offsetX; canvas.setPointerCapture(event.pointerId); move(event.offsetX, null); });
  canvas.addEventListener("pointermove", event => { if (held !== null) { move(event.offsetX, event.offsetX - held); held = event.offsetX; } });
  canvas.addEventListener("pointerup", () => { held = null; });
}

$("search").addEventListener("submit", event => { event.preventDefault(); search($("what").value, $("position").value); });
$("previous").onclick = () => nextDifference(-1);
$("next").onclick = () => nextDifference(1);
$("in").onclick = () => zoom(0.5);
$("out").onclick = () => zoom(2);
$("all").onclick = () => { from = 0; span = data.targets[shown].length; draw(); };
$("back").onclick = () => { column = Math.max(0, column - BLOCKS * perLine); draw(); };
$("forth").onclick = () => { if (column + BLOCKS * perLine < A.columns[chosen]) column += BLOCKS * perLine; draw(); };
$("target").onchange = () => { shown = Number($("target").value); from = 0; span = data.targets[shown].length;
                               if (layoutOf(shown).list.length) choose(layoutOf(shown).list[0]); draw(); };
$("filter").oninput = () => { filtered = null; tableFrom = 0; drawTable(); };
$("rows-back").onclick = () => { tableFrom = Math.max(0, tableFrom - TABLE_ROWS); drawTable(); };
$("rows-forth").onclick = () => { if (tableFrom + TABLE_ROWS < filtered.length) tableFrom += TABLE_ROWS; drawTable(); };
$("table").onclick = event => {
  const row = event.target.closest("tr");
  if (!row) return;
  marked = -1;
  const i = Number(row.dataset.alignment);
  choose(i);
  if (A.targetEnd[i] <= from || A.targetBegin[i] >= from + span) { from = A.targetBegin[i]; }
  draw();
};
dragged($("overview"), (x, moved) => {
  const length = data.targets[shown].length, at = x / $("overview").clientWidth * length;
  if (moved === null && span === length) span = length / 10;
  from = at - span / 2;
  draw();
});
dragged($("tracks"), (x, moved) => { if (moved !== null) { from -= moved * span / $("tracks").clientWidth; draw(); } });
for (const id of ["overview", "tracks", "rows"])
  $(id).addEventListener("wheel", event => {
    if (id === "rows" && !event.ctrlKey) return; // it scrolls
    event.preventDefault();
    zoom(Math.exp(Math.sign(event.deltaY) * 0.3), event.offsetX / $(id).clientWidth);
  }, {passive: false});
$("rows").addEventListener("click", event => {
  const row = Math.floor((event.offsetY - 2) / rowHeight), at = from + event.offsetX / $("rows").clientWidth * span;
  const layout = layoutOf(shown), found = layout.list.find(i => layout.rowOf.get(i) === row && A.targetBegin[i] <= at && at < A.targetEnd[i]);
  if (found === undefined) return;
  chosen = found;
  const steps = stepsOf(found), k = Math.max(0, lastUpTo(steps.target, at, steps.count));
  drawTable();
  goToColumn(Math.floor(steps.column[k] + Math.min(at - steps.target[k], steps.length[k] - 1)));
});
window.addEventListener("resize", draw);
window.addEventListener("hashchange", followHash);
document.addEventListener("keydown", event => {
  if (event.target.tagName === "INPUT" || event.target.tagName === "SELECT") return;
  if (event.key === "ArrowLeft") { from -= span / 4; draw(); }
  if (event.key === "ArrowRight") { from += span / 4; draw(); }
  if (event.key === "n") nextDifference(1);
  if (event.key === "p") nextDifference(-1);
});

$("summary").textContent = data.summary;
data.targets.forEach((target, k) => $("target").add(new Option(`${target.name} (${commas(target.length)})`, k)));
$("target-label").hidden = data.targets.length === 1;
shown = A.target[chosen];
span = data.targets[shown].length;
$("target").value = shown;
perLine = Math.max(20, Math.floor((($("letters").clientWidth - 16) / 7.85 - 44) / 10) * 10);
drawTable();
followHash();
drawNow();
document.body.dataset.ready = Math.round(performance.now() - started);
