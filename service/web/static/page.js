// Completion of card names in the question, and copying. Everything else is plain HTML.
"use strict";

(() => {
  const input = document.getElementById("q");
  if (!input) return;
  const MOST_TRIES = 4;
  const WAIT = 120;
  const list = document.createElement("ul");
  list.className = "names";
  list.id = "names";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", input.dataset.names);
  list.hidden = true;
  input.after(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-controls", "names");

  let timer = 0;
  let asked = 0;
  let from = 0;
  let active = -1;
  const seen = new Map();

  // What may be the beginning of a card name: what follows an open bracket, else the end of the
  // sentence, whole and then without the words before each particle.
  function beginnings() {
    const caret = input.selectionStart ?? input.value.length;
    const before = input.value.slice(0, caret);
    const open = before.lastIndexOf("《");
    if (open > before.lastIndexOf("》")) return [[open, before.slice(open + 1)]];
    const start = Math.max(...["、", "。", "？", "?", "！", "》", "「", "」"].map((c) => before.lastIndexOf(c))) + 1;
    const tail = before.slice(start);
    const found = [[start, tail]];
    for (const match of tail.matchAll(/[\sはがをにでとのへも]/g)) {
      const at = start + match.index + 1;
      found.push([at, before.slice(at)]);
    }
    return found.filter(([, text]) => text.trim().length >= 2 && text.length <= 60).slice(0, MOST_TRIES);
  }

  async function names(text) {
    if (!seen.has(text)) {
      const response = await fetch("/v1/cards/autocomplete?q=" + encodeURIComponent(text));
      if (!response.ok) return [];
      seen.set(text, (await response.json()).data.slice(0, 8));
    }
    return seen.get(text);
  }

  async function complete() {
    const mine = ++asked;
    for (const [at, text] of beginnings()) {
      let found = [];
      try { found = await names(text.trim()); } catch { return; }
      if (mine !== asked) return;
      if (found.length && !(found.length === 1 && found[0] === text)) return show(found, at);
    }
    close();
  }

  function show(found, at) {
    from = at;
    active = -1;
    list.replaceChildren(...found.map((name, number) => {
      const item = document.createElement("li");
      item.id = "name-" + number;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.textContent = name;
      item.addEventListener("mousedown", (event) => { event.preventDefault(); take(name); });
      return item;
    }));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    input.removeAttribute("aria-activedescendant");
  }

  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function take(name) {
    const caret = input.selectionStart ?? input.value.length;
    const rest = input.value.slice(caret).replace(/^》/, "");
    const head = input.value.slice(0, from).replace(/《$/, "") + "《" + name + "》";
    input.value = head + rest;
    input.setSelectionRange(head.length, head.length);
    input.focus();
    asked++;
    close();
  }

  function move(by) {
    const items = list.children;
    active = (active + by + items.length + (active < 0 && by < 0 ? 1 : 0)) % items.length;
    [...items].forEach((item, number) => item.setAttribute("aria-selected", String(number === active)));
    items[active].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[active].id);
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(complete, WAIT);
  }
  let composing = false;
  input.addEventListener("compositionstart", () => { composing = true; });
  input.addEventListener("compositionend", () => { composing = false; later(); });
  input.addEventListener("input", later);
  input.addEventListener("blur", () => { asked++; clearTimeout(timer); close(); });
  input.addEventListener("keydown", (event) => {
    if (composing || event.isComposing || list.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      take(list.children[active].textContent);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  });
})();

(() => {
  for (const button of document.querySelectorAll("[data-copy]")) {
    const text = document.getElementById(button.dataset.copy);
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      text.select();
      try {
        await navigator.clipboard.writeText(text.value);
      } catch {
        if (!document.execCommand("copy")) return; // not served over https: the text is selected
      }
      button.textContent = button.dataset.done;
      setTimeout(() => { button.textContent = label; }, 2000);
    });
  }
})();
