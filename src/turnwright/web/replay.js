"use strict";
// Steps through the scene of this file. Everything that is shown is made of text and numbers, never of markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const LINE = 1600; // milliseconds for a short line at normal speed
  const LETTER = 18; // and for each letter of it besides
  const NS = "http://www.w3.org/2000/svg";
  const steps = data.steps, pool = data.pool, full = [], rounds = [];
  let now = -1, timer = 0, drawn = null;

  // -- making elements

  function made(tag, text, cls) {
    const node = document.createElement(tag);
    if (text !== undefined && text !== null) node.textContent = text;
    if (cls) node.className = cls;
    return node;
  }
  function shape(tag, given, text) {
    const node = document.createElementNS(NS, tag);
    for (const name in given) if (given[name] !== undefined) node.setAttribute(name, given[name]);
    if (text !== undefined) node.textContent = text;
    return node;
  }
  function svgWith(box, ...parts) {
    const svg = shape("svg", { viewBox: box, class: "swatch", "aria-hidden": "true", focusable: "false" });
    svg.append(...parts);
    return svg;
  }
  const value = (step, key) => (step[key] === undefined ? undefined : pool[step[key]]);

  // -- the scene at every line: what has changed, on top of the line before

  let held = {};
  for (const [, , , , changed] of steps) {
    held = Object.assign({}, held);
    for (const key in changed) if (changed[key] === null) delete held[key]; else held[key] = changed[key];
    full.push(held);
  }
  full.forEach((step, n) => { if (!n || step.round !== full[n - 1].round) rounds.push(n); });

  // -- the map

  function token([, , radius, form, tint, letters, mine, seen, marks], acting) {
    const r = radius, body = shape("g", { class: "body" });
    body.append({
      circle: () => shape("circle", { r }),
      square: () => shape("rect", { x: -r * 0.9, y: -r * 0.9, width: r * 1.8, height: r * 1.8, rx: 3 }),
      diamond: () => shape("path", { d: `M0 ${-r * 1.12}L${r * 1.12} 0 0 ${r * 1.12} ${-r * 1.12} 0z` }),
      hexagon: () => shape("path", { d: `M${-r} 0L${-r * 0.5} ${-r * 0.9}H${r * 0.5}L${r} 0 ${r * 0.5} ${r * 0.9}H${-r * 0.5}z` }),
      triangle: () => shape("path", { d: `M0 ${-r * 1.1}L${r} ${r * 0.8}H${-r}z` }),
    }[form]());
    const parts = [body, shape("text", { class: "letters", y: 6 }, letters)];
    if (acting) parts.unshift(shape("circle", { class: "turn-ring", r: r + 3 }));
    if (marks) {
      const badge = shape("g", { class: "conditions", transform: `translate(${r * 0.78} ${-r * 0.78})` });
      badge.append(shape("circle", { r: 8 }), shape("text", { y: 4 }, marks > 1 ? marks : "!"));
      parts.push(badge);
    }
    return [parts, `piece tint${tint}${mine ? " mine" : ""}${acting ? " acting" : ""}${seen ? "" : " unseen-now"}`];
  }
  function filled(patterns, given, tag) {
    return patterns.map((name) => shape(tag, Object.assign({ class: `area ${name}`, fill: `url(#map-${name})` }, given)));
  }
  function cross(x, y, r) { return shape("path", { class: "bar", d: `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}` }); }
  function line([x1, y1, x2, y2], cls) { return shape("line", { x1, y1, x2, y2, class: cls }); }

  function ground(map) {
    const under = [], over = [], [width, height] = map.size, whole = { width, height };
    at("map").setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (map.fog) under.push(shape("rect", Object.assign({ class: "unseen" }, whole)), shape("rect", Object.assign({ fill: "url(#map-unseen)" }, whole)));
    if (map.kind === "grid") {
      under.push(shape("path", { class: "ground", d: map.ground }));
      for (const [patterns, d] of map.areas) under.push(...filled(patterns, { d }, "path"));
      under.push(shape("path", { d: map.ground, fill: "url(#map-grid)" }));
    }
    for (const [name, x, y] of map.places) over.push(shape("text", { class: "place", x, y }, name));
    if (map.screens) over.push(shape("path", { class: "wall clear", d: map.screens }));
    if (map.walls) over.push(shape("path", { class: "wall", d: map.walls }));
    for (const [state, words, from, leaf] of map.doors) {
      const door = shape("g", { class: `door ${state}` });
      door.append(shape("title", {}, words));
      if (state === "open") door.append(line(from, "gap"), line(leaf, "leaf")); else door.append(line(from, "leaf"));
      if (state === "barred") door.append(cross((from[0] + from[2]) / 2, (from[1] + from[3]) / 2, 6));
      over.push(door);
    }
    for (const [kind, words, label, ends, [x, y]] of map.joints) {
      const joint = shape("g", { class: `joint ${kind}` });
      joint.append(shape("title", {}, words), line(ends));
      if (kind === "barred" || kind === "parted") joint.append(cross(x, y, 7));
      if (kind === "closed") joint.append(shape("rect", { class: "shut", x: x - 5, y: y - 9, width: 10, height: 18 }));
      if (label) joint.append(shape("text", { x, y: y - 14 }, label));
      under.push(joint);
    }
    for (const [name, patterns, x, y, wide, high, things] of map.nodes) {
      const box = { x, y, width: wide, height: high, rx: 10 }, node = shape("g", { class: "node" });
      node.append(shape("rect", Object.assign({ class: "ground" }, box)), ...filled(patterns, box, "rect"));
      node.append(shape("text", { class: "node-name", x: x + 12, y: y + 25 }, name));
      things.forEach((thing, n) => node.append(shape("text", { class: "thing", x: x + 12, y: y + 50 + n * 22 }, thing)));
      under.push(node);
    }
    at("ground").replaceChildren(...under);
    at("over").replaceChildren(...over);
    legend(map);
  }
  function legend(map) {
    const keys = [];
    const key = (svg, name, about) => {
      const item = made("li"), text = made("span", name);
      if (about) text.append(" ", made("small", about));
      item.append(svg, text);
      keys.push(item);
    };
    const square = { width: 40, height: 40 };
    for (const [name, form, tint] of map.sides) {
      const piece = shape("g", { class: `piece tint${tint}` });
      piece.append(token([0, 0, 15, form, tint, "", false, true, 0], false)[0][0]);
      key(svgWith("-20 -20 40 40", piece), name || "nobody’s side");
    }
    for (const [name, effects, patterns] of map.legend)
      key(svgWith("0 0 40 40", shape("rect", Object.assign({ class: "ground" }, square)), ...filled(patterns, square, "rect")), name, effects);
    if (map.fog) key(svgWith("0 0 40 40", shape("rect", Object.assign({ class: "unseen" }, square)), shape("rect", Object.assign({ fill: "url(#map-unseen)" }, square))), "not seen yet");
    at("legend").hidden = !keys.length;
    at("keys").replaceChildren(...keys);
  }
  function showMap(step, actors) {
    const map = value(step, "map");
    at("map-card").hidden = !map || (map.kind === "plan" && !map.nodes.length);
    if (!map) return;
    if (drawn !== map) ground(drawn = map);
    at("dim").setAttribute("d", value(step, "dim") || "");
    const acting = value(step, "acting"), kept = new Map();
    for (const node of at("tokens").children) kept.set(node.dataset.of, node);
    const placed = [];
    for (const id of actors) {
      const told = value(step, `t:${id}`);
      if (!told) continue;
      const node = kept.get(id) || shape("g", {}), [parts, cls] = token(told, acting === id);
      node.dataset.of = id;
      node.setAttribute("class", cls);
      node.style.transform = `translate(${told[0]}px, ${told[1]}px)`;
      node.replaceChildren(shape("title", {}, value(step, `p:${id}`).name), ...parts, shape("text", { class: "name", y: told[2] + 15 }, value(step, `p:${id}`).name));
      kept.delete(id);
      placed.push(node);
    }
    for (const node of kept.values()) node.remove();
    for (const node of placed) if (node.parentNode !== at("tokens")) at("tokens").append(node);
    at("map").setAttribute("aria-label", `The map. Who is where stands under “Who is here”.`);
  }

  // -- everybody

  function person(id, step, before) {
    const told = value(step, `p:${id}`), acting = value(step, "acting") === id;
    const card = made("article", null, `person${acting ? " acting" : ""}${told.mine ? " mine" : ""}`);
    const head = made("h3", told.name);
    if (acting) head.append(" ", made("span", "acts now", "tag"));
    const where = value(step, `w:${id}`);
    card.append(head, made("p", [told.side, told.player, where].filter(Boolean).join(" · "), "about"));
    const was = before && value(before, `p:${id}`), counts = made("dl", null, "counts");
    for (const [name, have, most, bad] of told.counts) {
      const old = was && (was.counts.find((count) => count[0] === name) || [])[1];
      const row = made("div", null, `count${bad ? " bad" : ""}${old !== undefined && old !== have ? " changed" : ""}`), number = made("dd", have);
      if (most !== null) number.append(made("small", `/${most}`));
      if (most !== null && most > 0 && most <= 8) {
        const pips = made("span", null, "pips");
        pips.setAttribute("aria-hidden", "true");
        for (let n = 0; n < most; n++) pips.append(made("span", null, n < have ? "pip full" : "pip"));
        number.append(pips);
      }
      row.append(made("dt", name), number);
      counts.append(row);
    }
    if (told.counts.length) card.append(counts);
    if (told.summary) card.append(made("p", told.summary, "about"));
    const marks = made("ul", null, "marks");
    for (const [kind, list] of [["condition", told.marks], ["hidden-from", told.hiding]])
      for (const [label, about] of list) {
        const mark = made("li", label, `mark ${kind}`);
        if (about) mark.append(" ", made("small", about));
        marks.append(mark);
      }
    if (marks.children.length) card.append(marks);
    return card;
  }

  // -- the line and its rule

  function words(n) { return n ? steps[n][1] || "As it stands now" : "The scene opens"; }
  function topic(id) { return id.split(".").slice(1).join(" · ").replaceAll("-", " "); }
  function showRule(id) {
    const rule = id && data.rules[id];
    at("rule").hidden = !rule;
    if (!rule) return;
    const [says, silent, source] = rule;
    at("rule-name").textContent = `The rule behind this: ${topic(id)}`;
    const parts = [made("p", says, "statement")];
    if (silent) parts.push(made("h3", "What the text leaves open"), made("p", silent));
    const from = made("p", source ? `${source} · ` : "", "about");
    from.append(made("code", id));
    at("rule-card").replaceChildren(...parts, from);
  }

  // -- the story

  const items = steps.map(([, text, rule, gone], n) => {
    const item = made("li", words(n).replace(/^-- /, ""));
    item.dataset.n = n;
    if (text.startsWith("-- ") || !text) item.className = "note";
    if (gone) {
      item.classList.add("gone");
      item.append(" ", made("small", "(taken back)"));
    }
    if (rule && data.rules[rule]) {
      const sign = made("span", " §", "sign");
      sign.setAttribute("aria-hidden", "true");
      sign.title = topic(rule);
      item.append(sign);
    }
    return item;
  });
  at("story").append(...items);
  at("story").addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (!item) return;
    pause();
    show(Number(item.dataset.n));
    if (event.target.className === "sign") at("rule").open = true;
  });

  // -- stepping

  function show(n) {
    n = Math.max(0, Math.min(steps.length - 1, n));
    if (n === now) return;
    const from = now;
    now = n;
    const step = full[n], actors = value(step, "cast"), acting = value(step, "acting");
    at("line").textContent = words(n).replace(/^-- /, "") + (steps[n][3] ? " (taken back)" : "");
    showRule(steps[n][2]);
    showMap(step, actors);
    at("cast").replaceChildren(...actors.map((id) => person(id, step, n ? full[n - 1] : null)));
    at("stated").replaceChildren(...(value(step, "stated") || []).map((text) => made("li", text)));
    const round = value(step, "round");
    at("round").textContent = round ? `Round ${round}` : "Before the first round";
    at("turn").textContent = acting ? `${value(step, `p:${acting}`).name}’s turn` : "Between turns";
    at("slider").value = n;
    at("slider").setAttribute("aria-valuetext", `line ${n} of ${steps.length - 1}: ${words(n)}`);
    at("count").textContent = `${n} / ${steps.length - 1}`;
    for (const id of ["first", "back"]) at(id).setAttribute("aria-disabled", String(n === 0));
    for (const id of ["on", "last"]) at(id).setAttribute("aria-disabled", String(n === steps.length - 1));
    mark(from, n);
  }
  function mark(from, to) {
    if (from < 0) items.forEach((item, n) => item.classList.toggle("ahead", n > to));
    else for (let n = Math.min(from, to); n <= Math.max(from, to); n++) items[n].classList.toggle("ahead", n > to);
    if (from >= 0) items[from].removeAttribute("aria-current");
    items[to].setAttribute("aria-current", "step");
    const list = at("story");
    list.scrollTop = items[to].offsetTop - list.clientHeight / 2; // the list is what its lines are placed in
  }
  function pause() {
    clearTimeout(timer);
    timer = 0;
    at("play").setAttribute("aria-label", "Play");
    at("play-shape").setAttribute("d", "M8 5l11 7-11 7z");
  }
  function wait() {
    timer = setTimeout(() => {
      show(now + 1);
      if (now < steps.length - 1) wait(); else pause();
    }, (LINE + LETTER * words(now).length) / Number(at("speed").value));
  }
  function play() {
    if (timer) return pause();
    if (now === steps.length - 1) show(0);
    if (steps.length < 2) return undefined;
    at("play").setAttribute("aria-label", "Pause");
    at("play-shape").setAttribute("d", "M7 5h4v14H7zM14 5h4v14h-4z");
    return wait();
  }
  const go = (n) => { pause(); show(n); };
  const round = (way) => go(way < 0 ? [...rounds].reverse().find((n) => n < now) ?? 0 : rounds.find((n) => n > now) ?? steps.length - 1);
  at("first").addEventListener("click", () => go(0));
  at("back").addEventListener("click", () => go(now - 1));
  at("play").addEventListener("click", play);
  at("on").addEventListener("click", () => go(now + 1));
  at("last").addEventListener("click", () => go(steps.length - 1));
  at("slider").max = steps.length - 1;
  at("slider").addEventListener("input", () => go(Number(at("slider").value)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const pressed = /^(BUTTON|SUMMARY|A)$/.test(event.target.tagName) && event.key === " ";
    const keys = {
      ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1), Home: () => go(0), End: () => go(steps.length - 1),
      PageUp: () => round(-1), PageDown: () => round(1), " ": play, r: () => { at("rule").open = !at("rule").open; },
    };
    if (pressed || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  // -- what does not change

  const still = data.over ? "the scene is over" : "the scene is not over";
  at("about").textContent = `${data.game}, as ${data.seat} was told it; ${still}.`;
  const dice = [];
  if (data.asked.length) {
    const list = made("ul");
    list.append(...data.asked.map((text) => made("li", text)));
    dice.push(made("p", "Still asked:"), list);
  }
  if (data.dice.length) {
    const scroll = made("div", null, "scroll"), table = made("table"), body = made("tbody"), head = made("tr");
    head.append(...["Who", "What for", "Dice", "Total"].map((name) => { const cell = made("th", name); cell.scope = "col"; return cell; }));
    for (const [, who, what, faces, total] of data.dice) {
      const row = made("tr");
      row.append(...[who, what, faces.join(" "), total].map((text) => made("td", text)));
      body.append(row);
    }
    const top = made("thead");
    top.append(head);
    table.append(top, body);
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "The dice");
    scroll.append(table);
    dice.push(scroll);
  }
  const secret = (label, text) => { const p = made("p", label); p.append(made("code", text)); dice.push(p); };
  secret("The commitment, made before the first die fell: ", data.commitment);
  if (data.seed) secret("The seed: ", data.seed); else dice.push(made("p", "The seed is opened when the table is over.", "about"));
  at("dice-table").append(...dice);
  at("speed").addEventListener("change", () => { if (timer) { clearTimeout(timer); wait(); } });
  show(0);
})();
