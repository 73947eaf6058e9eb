// A page listens for changes of its own seat, fetches what it shows now, and sends commands that can be repeated.
"use strict";
(() => {
  const scene = () => document.getElementById("scene");

  // -- commands

  // Every command gets an id of its own; when the answer is lost the same command is sent again and done only once.
  const fresh = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");

  const commands = new WeakMap();
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb !== "post") return;
    const form = event.detail.elt;
    if (!commands.has(form)) commands.set(form, fresh());
    event.detail.parameters.id = commands.get(form);
    event.detail.parameters.version = scene().dataset.version;
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    if (!xhr.status || !elt.matches("form")) return;
    commands.delete(elt);
  });
  document.addEventListener("htmx:sendError", (event) => {
    say("The table cannot be reached. Trying again…");
    const form = event.detail.elt;
    if (form.matches("form")) setTimeout(() => form.isConnected && htmx.trigger(form, "submit"), 1500);
  });
  // Of two answers that overtake each other the newer one stays: versions only rise.
  const older = (text) => {
    const found = /data-version="(-?\d+)" data-notices="(\d+)"/.exec(text);
    const shown = scene().dataset;
    return Boolean(found) && (Number(found[1]) < Number(shown.version) || Number(found[2]) < Number(shown.notices));
  };
  // Only a scene takes the place of a scene; whatever else is answered is said in a line.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { requestConfig, target, xhr } = event.detail;
    if (xhr.status === 200 && requestConfig.verb === "post") done(requestConfig.elt);
    if (target.id === "scene" && older(xhr.responseText)) event.detail.shouldSwap = false;
    if (target.id !== "scene" || xhr.responseText.includes('id="scene"')) return;
    event.detail.shouldSwap = false;
    if (xhr.status === 404) say("This link leads nowhere any more. Ask for a new one.");
    else say("That was too much at once, or the table is busy. Try again in a moment.");
  });
  // What was sent is not typed any more, and its sheet lies on top no longer, before the page changes around it.
  const done = (form) => {
    const sheet = form.closest("dialog");
    const stays = form.elements.about;
    for (const field of (stays || !sheet ? form : sheet).querySelectorAll("input, select, textarea")) typed.delete(field);
    form.reset();
    if (sheet && sheet.open && !stays) sheet.close();
  };

  // A form that has just come and is not yet htmx's own is made so, and never sent in the browser's way.
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || !event.target.matches("[hx-post]")) return;
    event.preventDefault();
    htmx.process(event.target);
    htmx.trigger(event.target, "submit");
  });

  const say = (text) => {
    const line = document.getElementById("link");
    if (!line) return;
    line.textContent = text;
    line.hidden = !text;
  };

  // -- what stays as it is while the page changes around it: what is typed, what is open, and where one is

  const typed = new WeakSet();
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element) => {
    if (name === "open" && element.matches("dialog, details")) return false;
    if (name === "hidden" && element.matches("[data-for]")) return false;
    if (!["value", "checked", "selected"].includes(name)) return true;
    const field = element.localName === "option" ? element.closest("select") : element;
    return field !== document.activeElement && !typed.has(field);
  };
  // A sheet in which somebody has typed stays, also where what it is for is gone meanwhile: nothing typed is lost.
  Idiomorph.defaults.callbacks.beforeNodeRemoved = (node) => {
    if (node.nodeType !== 1 || !node.matches("dialog.sheet[open]")) return true;
    if (![...node.querySelectorAll("input, select, textarea")].some((field) => typed.has(field))) return true;
    if (!node.dataset.over) {
      node.dataset.over = "yes";
      const note = document.createElement("p");
      note.className = "careful";
      note.setAttribute("role", "status");
      note.textContent = "Something has changed, and this may not be open any more. What you typed is still here.";
      node.prepend(note);
    }
    return false;
  };
  document.addEventListener("close", (event) => event.target.dataset.over && event.target.remove(), true);
  document.addEventListener("input", (event) => {
    if (event.target.form) typed.add(event.target);
    slide(event.target);
    if (event.target.matches("[data-ruling]")) parts(event.target);
    if (event.target.matches("[data-finds]")) find(event.target);
  });

  const slide = (slider) => {
    if (slider.type !== "range") return;
    const box = slider.closest(".boost");
    box.querySelector("output").textContent = `+${slider.value}`;
    const odds = box.querySelector(".big-odds");
    if (odds && slider.dataset.chances) odds.textContent = slider.dataset.chances.split("|")[slider.value - slider.min] || "";
  };
  const parts = (kind) => {
    for (const part of kind.form.querySelectorAll("[data-for]")) {
      part.hidden = !part.dataset.for.split(" ").includes(kind.value);
      for (const field of part.querySelectorAll("input, select")) field.disabled = part.hidden;
    }
  };
  const find = (field) => {
    const words = field.value.trim().toLowerCase();
    let found = 0;
    for (const line of document.getElementById(field.dataset.finds).children) {
      line.hidden = !line.textContent.toLowerCase().includes(words);
      found += !line.hidden;
    }
    document.getElementById("found").textContent = words ? `${found} lines` : "";
  };

  // -- sheets

  let told = "";
  const seen = new Set();
  const open = (sheet) => {
    if (sheet && !sheet.open) sheet.showModal();
  };
  // What was answered on another device of the seat lies on top no longer.
  const answered = new WeakSet();
  const prompts = () => {
    for (const sheet of document.querySelectorAll("dialog.prompt")) {
      if (!sheet.querySelector(".drafted")) answered.delete(sheet);
      else if (!answered.has(sheet)) {
        answered.add(sheet);
        if (sheet.open) sheet.close();
      }
    }
    for (const sheet of document.querySelectorAll("dialog[data-show]:not([open])")) {
      if (sheet.id !== "trouble" && (seen.has(sheet.id) || sheet.querySelector(".drafted"))) continue;
      seen.add(sheet.id);
      open(sheet);
    }
  };
  const title = document.title;
  const settled = () => {
    prompts();
    const mine = document.querySelector(".top.mine .turn strong");
    document.title = mine ? `● ${mine.textContent} – ${title}` : title;
    for (const kind of document.querySelectorAll("[data-ruling]")) parts(kind);
    for (const slider of document.querySelectorAll("input[type=range]")) slide(slider);
    const log = document.getElementById("log");
    if (log && told !== scene().dataset.told) log.scrollTop = log.scrollHeight;
    told = scene() && scene().dataset.told;
  };
  document.addEventListener("click", (event) => {
    const opens = event.target.closest("[data-opens]");
    if (opens) open(document.getElementById(opens.dataset.opens));
    if (event.target.closest("[data-closes]")) event.target.closest("dialog").close();
    if (event.target.matches("dialog.sheet")) event.target.close();
    const copies = event.target.closest("[data-copies]");
    if (copies) copy(copies);
    const rule = event.target.closest("a.rule");
    if (rule && !event.ctrlKey && !event.metaKey && !event.shiftKey) card(event, rule);
  });
  const copy = async (button) => {
    try {
      await navigator.clipboard.writeText(button.dataset.copies);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copy by hand";
    }
  };
  const card = async (event, link) => {
    event.preventDefault();
    let sheet = document.getElementById("rule-card");
    if (!sheet) {
      sheet = document.createElement("dialog");
      sheet.id = "rule-card";
      sheet.className = "sheet";
      sheet.setAttribute("aria-label", "A rule");
      document.body.append(sheet);
    }
    try {
      const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
      if (!answer.ok) throw new Error(answer.status);
      sheet.innerHTML = await answer.text();
    } catch {
      location.href = link.href;
      return;
    }
    const close = document.createElement("button");
    close.type = "button";
    close.className = "go";
    close.dataset.closes = "";
    close.textContent = "Close";
    sheet.append(close);
    open(sheet);
    const title = sheet.querySelector("h2");
    title.tabIndex = -1;
    title.focus();
    sheet.scrollTop = 0;
  };

  // A digit answers the first ruling that waits; never while something is typed or a sheet is open.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
    const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (button) button.click();
  });

  // -- listening

  let asking = false;
  let again = false;
  const look = async () => {
    again = asking;
    if (asking) return;
    asking = true;
    try {
      await htmx.ajax("GET", document.body.dataset.view, { target: "#scene", swap: "morph:outerHTML" });
    } catch {
      setTimeout(look, 1500);
    } finally {
      asking = false;
      if (again) look();
    }
  };
  // A phone that slept or was out of reach may have lost its line without a word: back here, it listens anew.
  let source = null;
  let over = false;
  const back = () => source && !over && listen();
  window.addEventListener("online", back);
  window.addEventListener("offline", () => say("The table cannot be reached. Trying again…"));
  window.addEventListener("pageshow", (event) => event.persisted && back());
  document.addEventListener("visibilitychange", () => document.hidden || back());
  const listen = () => {
    if (source) source.close();
    source = new EventSource(document.body.dataset.events);
    source.onmessage = (event) => {
      say("");
      const news = JSON.parse(event.data);
      const shown = scene().dataset;
      if (String(news.version) !== shown.version || String(news.notices) !== shown.notices) look();
    };
    source.onerror = () => say("The table cannot be reached. Trying again…");
    source.addEventListener("renewed", () => {
      source.close();
      over = true;
      say("This link was renewed: the seat moved to another device. Ask for the new link.");
    });
    source.addEventListener("crowded", () => {
      source.close();
      over = true;
      say("Too many pages listen to this table; close some and load this one again.");
    });
  };

  document.addEventListener("htmx:afterSettle", settled);
  document.addEventListener("DOMContentLoaded", () => {
    settled();
    if (document.body.dataset.events) listen();
  });
})();
