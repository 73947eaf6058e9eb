// The map is drawn by the server; here it is moved, and picked on. What a pick means and costs the server says.
"use strict";
(() => {
  const SIDE = 40;
  const NEAREST = 5;
  const FINGER = 32;
  const SVG = "http://www.w3.org/2000/svg";
  const byId = (id) => document.getElementById(id);
  const svg = () => byId("map-svg");
  const draw = (name, given, text = "") => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    return made;
  };

  // -- where one looks

  let view = null;
  let plain = false;
  const size = () => ({ w: Number(svg().dataset.width), h: Number(svg().dataset.height) });
  const show = () => {
    const map = svg();
    if (!map) return;
    const { w, h } = size();
    if (view && (view.of !== `${w} ${h}` || view.w >= w * 0.999)) view = null;
    map.setAttribute("viewBox", view ? `${view.x} ${view.y} ${view.w} ${view.h}` : `0 0 ${w} ${h}`);
    map.classList.toggle("near", Boolean(view));
    byId("map").classList.toggle("plain", plain);
    const button = document.querySelector("[data-map=plain]");
    if (button) button.setAttribute("aria-pressed", String(plain));
  };
  const zoom = (factor, at) => {
    const { w, h } = size();
    const now = view || { x: 0, y: 0, w, h, of: `${w} ${h}` };
    const wide = Math.max(Math.min(w, SIDE * NEAREST), Math.min(w, now.w / factor));
    const part = wide / now.w;
    const [x, y] = at || [now.x + now.w / 2, now.y + now.h / 2];
    view = { x: x - (x - now.x) * part, y: y - (y - now.y) * part, w: wide, h: now.h * part, of: `${w} ${h}` };
    move(0, 0);
  };
  const move = (dx, dy) => {
    if (!view) return;
    const { w, h } = size();
    view.x = Math.min(Math.max(view.x + dx, -view.w * 0.1), w - view.w * 0.9);
    view.y = Math.min(Math.max(view.y + dy, -view.h * 0.1), h - view.h * 0.9);
    show();
  };
  const point = (event) => {
    const matrix = svg().getScreenCTM();
    const found = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [found.x, found.y];
  };

  const fingers = new Map();
  let pinch = null;
  let dragged = false;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { far: Math.hypot(a.x - b.x, a.y - b.y), clientX: (a.x + b.x) / 2, clientY: (a.y + b.y) / 2 };
  };
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("#map-svg") || event.button) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, from: [event.clientX, event.clientY] });
    dragged = fingers.size > 1;
    pinch = fingers.size === 2 ? spread() : null;
  });
  document.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) {
      if (picking && event.target.closest("#map-svg")) hover(event);
      return;
    }
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    finger.x = event.clientX;
    finger.y = event.clientY;
    if (pinch && fingers.size === 2) {
      const now = spread();
      zoom(now.far / Math.max(1, pinch.far), point(now));
      pinch = now;
    } else if (fingers.size === 1) {
      if (Math.hypot(event.clientX - finger.from[0], event.clientY - finger.from[1]) > 8) dragged = true;
      const scale = svg().getScreenCTM().a || 1;
      if (dragged) move(-dx / scale, -dy / scale);
    }
  });
  const lift = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    pinch = null;
    if (event.type === "pointerup" && !dragged && picking) tap(event);
  };
  document.addEventListener("pointerup", lift);
  document.addEventListener("pointercancel", lift);
  document.addEventListener("wheel", (event) => {
    if (!event.target.closest || !event.target.closest("#map-svg")) return;
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== svg()) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, point(event));
  }, { passive: false });

  const tools = {
    in: () => zoom(1.5),
    out: () => zoom(1 / 1.5),
    all: () => { view = null; show(); },
    plain: () => { plain = !plain; show(); },
    take: () => take(),
    leave: () => leave(true),
  };
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    if (!event.target.closest || !event.target.closest("#map-svg")) return;
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const arrow = ARROWS[event.key];
    if (picking && arrow) step(arrow);
    else if (picking && (event.key === "Enter" || event.key === " ")) keyTake(event);
    else if (picking && event.key === "Escape") leave(true);
    else if (arrow) move((arrow[0] * SIDE * (view ? view.w : 0)) / 400, (arrow[1] * SIDE * (view ? view.h : 0)) / 400);
    else if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") tools.all();
    else return;
    event.preventDefault();
  });

  // -- picking: a field of an offer is filled by what is pointed at

  let picking = null;
  const columns = () => Number(byId("map").dataset.columns);
  const onSpaces = () => byId("map").dataset.shown === "grid";
  const rows = () => Number(byId("map").dataset.rows);
  const key = (cell) => `${cell[0]},${cell[1]}`;

  const begin = async (field) => {
    const form = field.form;
    const sheet = field.closest("dialog");
    leave(false);
    if (sheet && sheet.open) sheet.close();
    const actors = field.localName === "select" ? [...field.options].map((held) => held.value).filter(Boolean) : null;
    picking = { field: field.id, form: form.id, sheet: sheet && sheet.id, actors, ways: new Map(), chosen: null, cursor: null };
    picking.named = field.name === "place" && !actors && onSpaces();
    if (!actors && !picking.named && onSpaces()) await ask(form, field);
    if (!picking) return;
    const from = byId(`map-t-${form.elements.actor ? form.elements.actor.value : ""}`);
    const at = from && /translate\(([-\d.]+) ([-\d.]+)\)/.exec(from.getAttribute("transform"));
    picking.cursor = at ? [Math.floor(at[1] / SIDE), Math.floor(at[2] / SIDE)] : [0, 0];
    picking.actor = from ? from.dataset.actor : "";
    nearer(at ? [Number(at[1]), Number(at[2])] : null);
    refresh();
    svg().scrollIntoView({ block: "center" });
    svg().focus({ preventScroll: true });
    say(asks());
  };
  // On a small screen the Spaces are made large enough for a finger, about whoever acts.
  const nearer = (at) => {
    const { w, h } = size();
    const across = svg().getBoundingClientRect().width;
    const now = view ? view.w : w;
    if (!at || !columns() || (across * SIDE) / now >= FINGER) return;
    const wide = Math.max((across * SIDE) / FINGER, SIDE * 6);
    view = { x: at[0] - wide / 2, y: at[1] - (wide * h) / w / 2, w: wide, h: (wide * h) / w, of: `${w} ${h}` };
    move(0, 0);
  };
  const asks = () => {
    if (picking.actors) return "Pick whom: tap somebody who is marked, or go through them with Tab.";
    if (picking.named || !onSpaces()) return "Pick a place: tap it, or go through the places with the arrow keys.";
    return picking.ways.size ? "Pick where to: marked Spaces are within reach." : "Pick a Space: tap it, or use the arrow keys.";
  };
  const ask = async (form, field, route = "") => {
    const body = new FormData(form);
    for (const name of ["route", "to", field.name]) body.delete(name);
    if (route) body.set("route", route);
    try {
      const answer = await fetch(byId("map").dataset.reach, { method: "POST", body: new URLSearchParams(body), headers: { accept: "application/json" } });
      if (!answer.ok) return null;
      const found = await answer.json();
      for (const each of found.cells) if (each.from !== undefined) each.way = [...found.cells[each.from].way, ...each.way];
      if (route) return found.cells;
      for (const each of found.cells) if (picking) picking.ways.set(each.cell, each);
    } catch {
      say("The table cannot be reached.");
    }
    return null;
  };

  const refresh = () => {
    const map = svg();
    if (!map) return;
    show();
    const marks = byId("map-marks");
    marks.replaceChildren();
    byId("map-cursor").replaceChildren();
    byId("map-picking").hidden = !picking;
    map.classList.toggle("picking", Boolean(picking));
    for (const token of map.querySelectorAll(".piece")) {
      const may = Boolean(picking && picking.actors);
      token.classList.toggle("pickable", may && picking.actors.includes(token.dataset.actor));
      token.classList.toggle("not-pickable", may && !picking.actors.includes(token.dataset.actor));
      if (may && picking.actors.includes(token.dataset.actor)) marks.append(aim(token));
    }
    if (!picking) return;
    if (picking.named) for (const place of places()) marks.append(draw("circle", { class: "aim", cx: place.getAttribute("x"), cy: place.getAttribute("y"), r: SIDE * 0.6 }));
    for (const each of picking.ways.values()) if (each.ends !== false) marks.append(mark(each));
    byId("map-picking").querySelector("[data-map=take]").disabled = !picking.chosen;
    if (picking.shown) path(picking.shown);
    cursor();
    byId("map-says").textContent = picking.said || "";
  };
  const places = () => [...svg().querySelectorAll(picking.named ? ".place[data-place]" : ".node")];
  const nearest = (event) => {
    const [x, y] = point(event);
    const far = (place) => Math.hypot(place.getAttribute("x") - x, place.getAttribute("y") - y);
    return places().sort((a, b) => far(a) - far(b))[0];
  };
  const called = (held) => held.getAttribute("aria-label") || held.textContent;
  const aim = (token) => {
    const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(token.getAttribute("transform"));
    return draw("circle", { class: "aim", cx: x, cy: y, r: SIDE * 0.55 });
  };
  const mark = (each) => {
    const [x, y] = each.cell.split(",").map(Number);
    const risky = each.way.some((tread) => tread[4].length);
    const doubled = each.way.some((tread) => tread[3]);
    const group = draw("g", {});
    group.append(draw("rect", { class: "reach", x: x * SIDE + 2, y: y * SIDE + 2, width: SIDE - 4, height: SIDE - 4, rx: 5 }));
    if (risky) group.append(draw("path", { class: "reach-risk", d: `M${x * SIDE + 29} ${y * SIDE + 5}v7m0 3v1` }));
    if (doubled) group.append(draw("rect", { class: "reach-double", x: x * SIDE + 5, y: y * SIDE + 5, width: SIDE - 10, height: SIDE - 10, rx: 4 }));
    group.append(draw("text", { class: "cost", x: (x + 0.5) * SIDE, y: (y + 0.85) * SIDE }, each.metres));
    return group;
  };
  const path = (each) => {
    const start = start_();
    const line = [start, ...each.way].map((cell) => `${(cell[0] + 0.5) * SIDE} ${(cell[1] + 0.5) * SIDE}`).join("L");
    const top = byId("map-cursor");
    top.append(draw("path", { class: "way", d: `M${line}` }));
    for (const [x, y, metres, doubled, draws] of each.way) {
      const kind = `way-price${doubled ? " doubled" : ""}${draws.length ? " risky" : ""}`;
      const chip = draw("g", { class: kind, transform: `translate(${(x + 0.5) * SIDE} ${(y + 0.5) * SIDE})` });
      chip.append(draw("circle", { r: 11 }), draw("text", { y: 4 }, draws.length ? `${metres}!` : metres));
      top.append(chip);
    }
  };
  const start_ = () => {
    const token = byId(`map-t-${picking.actor}`);
    const at = token && /translate\(([-\d.]+) ([-\d.]+)\)/.exec(token.getAttribute("transform"));
    return at ? [Math.floor(at[1] / SIDE), Math.floor(at[2] / SIDE)] : picking.cursor;
  };
  const cursor = () => {
    if (!picking.cursor || picking.actors || picking.named || !onSpaces()) return;
    const [x, y] = picking.cursor;
    byId("map-cursor").append(draw("rect", { class: "cursor", x: x * SIDE + 2, y: y * SIDE + 2, width: SIDE - 4, height: SIDE - 4, rx: 5 }));
  };
  const say = (text) => {
    if (picking) picking.said = text;
    if (byId("map-says")) byId("map-says").textContent = text;
  };

  const words = (cell, each) => {
    const here = `Column ${cell[0]}, row ${cell[1]}`;
    if (!each) return picking.ways.size ? `${here}: out of reach` : here;
    const prices = each.way.map((tread) => tread[2]).join(" + ");
    const doubled = each.way.filter((tread) => tread[3]).length;
    const draws = [...new Set(each.way.flatMap((tread) => tread[4]))];
    const parts = [`${here}: ${each.metres} m${each.way.length > 1 ? ` (${prices})` : ""}`];
    if (doubled) parts.push(`${doubled === 1 ? "one Space counts" : `${doubled} Spaces count`} double`);
    if (draws.length) parts.push(`${draws.join(" and ")} would get an attack`);
    if (each.ends === false) parts.push("you cannot stop there");
    return parts.join("; ");
  };
  const look = (cell) => {
    picking.cursor = cell;
    const each = picking.ways.get(key(cell));
    picking.shown = each || (picking.chosen && picking.chosen.each) || null;
    say(words(cell, each));
  };
  const cellAt = (event) => {
    const [x, y] = point(event);
    const cell = [Math.floor(x / SIDE), Math.floor(y / SIDE)];
    return cell[0] >= 0 && cell[1] >= 0 && cell[0] < columns() && cell[1] < rows() ? cell : null;
  };
  const hover = (event) => {
    if (picking.actors || picking.named || picking.chosen || event.pointerType === "touch") return;
    const cell = onSpaces() ? cellAt(event) : null;
    if (!cell || (picking.cursor && key(cell) === key(picking.cursor))) return;
    look(cell);
    refresh();
  };
  const tap = async (event) => {
    const token = event.target.closest(".piece");
    if (picking.actors) {
      if (token && picking.actors.includes(token.dataset.actor)) choose({ value: token.dataset.actor, words: token.getAttribute("aria-label") });
      return;
    }
    const node = picking.named ? nearest(event) : event.target.closest(".node");
    if (node) choose({ value: node.dataset.place, words: called(node) });
    if (picking.named) return;
    const cell = onSpaces() ? cellAt(event) : null;
    if (cell) await chooseCell(cell);
  };
  const chooseCell = async (cell) => {
    const before = picking.chosen;
    if (before && before.value === key(cell)) return take();
    const field = byId(picking.field);
    const far = before && before.each ? before.each.way[before.each.way.length - 1] : null;
    const beside = far && Math.max(Math.abs(far[0] - cell[0]), Math.abs(far[1] - cell[1])) === 1;
    let each = picking.ways.get(key(cell));
    if (beside && field && field.dataset.picks === "route") {
      const route = [...before.each.way.map((tread) => `${tread[0]},${tread[1]}`), key(cell)].join(" ");
      const along = await ask(field.form, field, route);
      if (!picking) return;
      if (along && along.length === before.each.way.length + 1) each = along[along.length - 1];
    }
    look(cell);
    if (picking.ways.size && (!each || each.ends === false)) {
      picking.chosen = null;
      return refresh();
    }
    choose({ value: key(cell), each, words: words(cell, each) });
  };
  const choose = (chosen) => {
    if (picking.chosen && picking.chosen.value === chosen.value) return take();
    picking.chosen = chosen;
    picking.shown = chosen.each || null;
    say(`${chosen.words}. Tap it again, or choose Here.`);
    refresh();
  };
  const take = () => {
    if (!picking || !picking.chosen) return;
    const form = byId(picking.form);
    const field = byId(picking.field);
    if (!form || !field) return leave(false);
    const { value, each, words: told } = picking.chosen;
    const route = form.elements.route;
    const button = document.querySelector(`[data-pick="${CSS.escape(picking.field)}"]`);
    if (button) button.textContent = `${told.split(";")[0]} · pick another`;
    if (each && route) {
      fill(route, each.way.map((tread) => `${tread[0]},${tread[1]}`).join(" "));
      if (form.elements.to) fill(form.elements.to, "");
    } else fill(field, value);
    leave(true);
  };
  const fill = (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const leave = (back) => {
    if (!picking) return;
    const sheet = byId(picking.sheet || "");
    picking = null;
    refresh();
    if (back && sheet && !sheet.open) sheet.showModal();
  };
  const step = ([dx, dy]) => {
    if (!onSpaces() || picking.actors || picking.named) return through(dx + dy);
    const cell = [Math.min(Math.max(picking.cursor[0] + dx, 0), columns() - 1), Math.min(Math.max(picking.cursor[1] + dy, 0), rows() - 1)];
    picking.chosen = null;
    look(cell);
    refresh();
  };
  const through = (by) => {
    const all = picking.actors ? [...svg().querySelectorAll(".pickable")] : places();
    if (!all.length) return;
    picking.turn = ((picking.turn === undefined ? -1 : picking.turn) + by + all.length) % all.length;
    const held = all[picking.turn];
    picking.chosen = null;
    choose({ value: held.dataset.actor || held.dataset.place, words: called(held) });
  };
  const keyTake = async (event) => {
    const token = event.target.closest(".piece");
    if (picking.actors && token && picking.actors.includes(token.dataset.actor)) {
      choose({ value: token.dataset.actor, words: token.getAttribute("aria-label") });
    } else if (picking.chosen) take();
    else if (!picking.actors && !picking.named && onSpaces()) await chooseCell(picking.cursor);
  };

  document.addEventListener("click", (event) => {
    const tool = event.target.closest("[data-map]");
    if (tool) tools[tool.dataset.map]();
    const pick = event.target.closest("[data-pick]");
    if (pick && svg() && byId(pick.dataset.pick)) begin(byId(pick.dataset.pick));
  });

  // -- what stays as it is while the page changes around it

  const callbacks = Idiomorph.defaults.callbacks;
  const before = callbacks.beforeAttributeUpdated;
  callbacks.beforeAttributeUpdated = (name, element, kind) => {
    if (element.id === "map-svg" && (name === "viewBox" || name === "class")) return false;
    if (element.id === "map-picking" && name === "hidden") return false;
    return before ? before(name, element, kind) : true;
  };
  const settled = () => {
    if (picking && (!byId(picking.form) || !svg())) picking = null;
    if (svg()) {
      svg().classList.toggle("pictured", Boolean(byId("map-picture")));
      refresh();
    }
  };
  document.addEventListener("htmx:afterSettle", settled);
  document.addEventListener("DOMContentLoaded", settled);
})();
