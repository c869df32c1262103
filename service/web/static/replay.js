// Turns the pictures of a scenario into a player. Without this they stand below each other.
"use strict";

(() => {
  const root = document.getElementById("replay");
  if (!root) return;
  const cases = [...root.querySelectorAll(".case")].map((node) => ({
    node,
    frames: [...node.querySelectorAll(".frame")],
  }));
  if (!cases.some((one) => one.frames.length)) return;
  const tabs = [...root.querySelectorAll(".tabs button")];
  const button = (name) => root.querySelector(`[data-do="${name}"]`);
  const said = document.getElementById("said");
  const where = root.querySelector(".where");
  const wide = matchMedia("(min-width: 62rem)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const PACE = 1800;
  let step = 0;
  let selected = 0;
  let timer = 0;

  const shown = () => wide.matches && cases.length > 1 ? [0, selected || 1] : [selected];
  const length = () => Math.max(...shown().map((number) => cases[number].frames.length));

  function places(node) {
    const found = new Map();
    for (const one of node.querySelectorAll("[data-key]")) {
      if (!found.has(one.dataset.key)) found.set(one.dataset.key, one.getBoundingClientRect());
    }
    return found;
  }

  // Cards travel from where they were in the picture before.
  function travel(node, before) {
    if (still.matches || !before) return;
    for (const one of node.querySelectorAll("[data-key]")) {
      const old = before.get(one.dataset.key);
      const now = one.getBoundingClientRect();
      if (!old) {
        one.animate([{ opacity: 0, scale: ".85" }, { opacity: 1, scale: "1" }], { duration: 300, easing: "ease-out" });
      } else if (Math.hypot(old.left - now.left, old.top - now.top) > 2) {
        one.animate(
          [{ translate: `${old.left - now.left}px ${old.top - now.top}px` }, { translate: "0 0" }],
          { duration: 420, easing: "cubic-bezier(.2,.8,.2,1)" },
        );
      }
    }
  }

  function draw(speak) {
    const open = shown();
    const last = length() - 1;
    step = Math.max(0, Math.min(step, last));
    cases.forEach((one, number) => {
      one.node.hidden = !open.includes(number);
      if (one.node.hidden || !one.frames.length) return;
      const at = Math.min(step, one.frames.length - 1);
      const current = one.frames.find((frame) => !frame.hidden);
      const before = current && current !== one.frames[at] && one.node.dataset.drawn ? places(current) : null;
      one.frames.forEach((frame, n) => { frame.hidden = n !== at; });
      one.node.dataset.drawn = "yes";
      travel(one.frames[at], before);
    });
    tabs[0].parentElement.hidden = cases.length < 2 || (wide.matches && cases.length === 2);
    tabs.forEach((tab, number) => tab.setAttribute("aria-pressed", String(open.includes(number))));
    where.textContent = `${step + 1} / ${last + 1}`;
    for (const name of ["first", "back"]) button(name).disabled = step === 0;
    for (const name of ["forward", "last"]) button(name).disabled = step === last;
    if (step === last) stop();
    if (speak) {
      said.textContent = open.filter((number) => cases[number].frames.length).map((number) => {
        const one = cases[number];
        const frame = one.frames[Math.min(step, one.frames.length - 1)];
        const notes = [...frame.querySelectorAll(".notes li")].map((item) => item.textContent);
        const tag = one.node.querySelector(".tag").textContent;
        return [open.length > 1 ? tag : "", frame.querySelector("h3").textContent.replace(/\s+/g, " ").trim(), ...notes].filter(Boolean).join("。");
      }).join("。");
    }
  }

  function go(to) {
    const focused = document.activeElement;
    step = to;
    draw(true);
    // A button that becomes disabled under the finger would lose the keyboard's place.
    if (focused instanceof HTMLButtonElement && focused.disabled && root.contains(focused)) {
      button(step === 0 ? "forward" : "back").focus();
    }
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    button("play").textContent = root.dataset.play;
    button("play").setAttribute("aria-pressed", "false");
  }

  function play() {
    if (timer) return stop();
    if (step === length() - 1) step = -1;
    button("play").textContent = root.dataset.stop;
    button("play").setAttribute("aria-pressed", "true");
    timer = setInterval(() => go(step + 1), PACE);
    go(step + 1);
  }

  const actions = {
    first: () => { stop(); go(0); },
    back: () => { stop(); go(step - 1); },
    forward: () => { stop(); go(step + 1); },
    last: () => { stop(); go(length() - 1); },
    play,
  };
  for (const [name, act] of Object.entries(actions)) button(name).addEventListener("click", act);
  tabs.forEach((tab, number) => tab.addEventListener("click", () => { selected = number; draw(true); }));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, select, pre")) return;
    const name = { ArrowLeft: "back", ArrowRight: "forward" }[event.key];
    if (!name || button(name).disabled) return;
    event.preventDefault();
    actions[name]();
  });
  wide.addEventListener("change", () => draw(false));

  root.classList.add("playing");
  root.querySelector(".controls").hidden = false;
  root.querySelector(".keys").hidden = false;
  draw(false);
})();
