// The wheel zooms, dragging moves, a double click shows all.  `box` is the area in pixels, `whole` what it shows in
// letters, `axes` the sequences along its sides: name, offset on the axis, first letter, letters.
const svg = document.documentElement, area = document.getElementById("area0"), labels = document.getElementById("axes");
const [left, top_, width, height] = box;
let view = whole.slice(); // begin and length along x, begin and length along y: [x, y, width, height]

function element(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  labels.appendChild(made);
}

function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= value);
}

function shown(position, step) {
  const unit = axes.dna && step >= 1e5 ? 1e6 : axes.dna && step >= 100 && position >= 1000 ? 1e3 : 1;
  return +(position / unit).toPrecision(10) + (unit === 1e6 ? " Mb" : unit === 1e3 ? " kb" : "");
}

// The same as draw_side() of axis_labels.cpp, for the part that is in view.
function drawSide(parts, first, letters, pixels, noun, across) {
  const scale = pixels / letters, step = roundUp(70 / scale);
  const line = (a, b, c, d, colour) => element("path", {d: `M${a} ${b}L${c} ${d}`, stroke: colour});
  const at = place => across ? left + place : top_ + height - place;
  let inView = 0, freeFrom = -1e9;
  for (const [name, offset, begin, length] of parts) {
    const from = Math.max(offset, first), to = Math.min(offset + length, first + letters);
    if (to <= from) continue;
    ++inView;
    const begins = (from - first) * scale, ends = (to - first) * scale, one = begin + from - offset;
    if (ends - begins >= 140 || parts.length === 1)
      for (let position = Math.ceil(one / step) * step; position <= one + to - from; position += step) {
        const place = begins + (position - one) * scale;
        if (parts.length > 1 && place > ends - 25) break;
        if (across) {
          line(at(place), top_ + height, at(place), top_ + height + 5, "black");
          element("text", {x: at(place), y: top_ + height + 18, "font-size": 11, "text-anchor": "middle"}, shown(position, step));
        } else {
          line(left - 5, at(place), left, at(place), "black");
          element("text", {x: left - 8, y: at(place) + 4, "font-size": 11, "text-anchor": "end"}, shown(position, step));
        }
      }
    if (offset > first && offset < first + letters && (parts.length <= 500 || ends - begins > 3)) {
      if (across) line(at(begins), top_, at(begins), top_ + height + 5, "#d7d7d7");
      else line(left - 5, at(begins), left + width, at(begins), "#d7d7d7");
    }
    const words = name.length > 40 ? name.slice(0, 38) + "..." : name, half = 0.58 * 12 * words.length / 2;
    const middle = (begins + ends) / 2;
    if (2 * half <= ends - begins && middle - half >= freeFrom) {
      const x = left - 62, y = at(middle);
      if (across) element("text", {x: at(middle), y: top_ + height + 36, "font-size": 12, "text-anchor": "middle"}, words);
      else element("text", {x: x, y: y, "font-size": 12, "text-anchor": "middle", transform: `rotate(-90 ${x} ${y})`}, words);
      freeFrom = middle + half;
    }
  }
  const words = `${noun}: ${inView} of ${parts.length} in view, ${Math.round(letters).toLocaleString("en")} ${axes.dna ? "bp" : "aa"}`;
  const x = across ? left + width / 2 : left - 80, y = across ? top_ + height + 56 : top_ + height / 2;
  element("text", {x: x, y: y, "font-size": 12, "text-anchor": "middle", fill: "#6e6e6e",
                   transform: across ? "" : `rotate(-90 ${x} ${y})`}, words);
}

function draw() {
  const sx = width / view[2], sy = -height / view[3];
  area.setAttribute("transform", `matrix(${sx} 0 0 ${sy} ${left - view[0] * sx} ${top_ + height - view[1] * sy})`);
  labels.replaceChildren();
  drawSide(axes.targets, view[0], view[2], width, "target", true);
  drawSide(axes.queries, view[1], view[3], height, "query", false);
}

function clamp() {
  for (const k of [0, 1]) {
    view[k + 2] = Math.min(view[k + 2], whole[k + 2]);
    view[k] = Math.min(Math.max(view[k], 0), whole[k + 2] - view[k + 2]);
  }
}

// Pixels of the picture, wherever and however large it is shown.
function place(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [(at.x - left) / width, (top_ + height - at.y) / height];
}

svg.addEventListener("wheel", event => {
  event.preventDefault();
  const at = place(event), factor = Math.exp(Math.sign(event.deltaY) * 0.25);
  if (Math.min(view[2], view[3]) * factor < 20) return;
  for (const k of [0, 1]) {
    const share = Math.min(Math.max(at[k], 0), 1);
    view[k] += share * view[k + 2] * (1 - factor);
    view[k + 2] *= factor;
  }
  clamp();
  draw();
}, {passive: false});

let held = null;
svg.addEventListener("pointerdown", event => { held = place(event); });
svg.addEventListener("pointerup", () => { held = null; });
svg.addEventListener("pointermove", event => {
  if (!held) return;
  const at = place(event);
  for (const k of [0, 1]) view[k] -= (at[k] - held[k]) * view[k + 2];
  held = at;
  clamp();
  draw();
});
svg.addEventListener("dblclick", () => { view = whole.slice(); draw(); });
