// Texts that stand out too little from what is behind them (WCAG 2.2, 1.4.3).
() => {
  const lit = (c) => { const v = c / 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255];
  };
  const light = ([r, g, b]) => .2126 * lit(r) + .7152 * lit(g) + .0722 * lit(b);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] > .99) return color;
    }
    return [255, 255, 255, 1];
  };
  const poor = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || !node.checkVisibility()) continue;
    if (node.closest(".sr, .skip, :disabled")) continue;
    const style = getComputedStyle(node);
    const [a, b] = [light(rgba(style.color)), light(behind(node))].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    const big = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.7 && +style.fontWeight >= 700);
    if (ratio < (big ? 3 : 4.5)) poor.push(`${ratio.toFixed(2)} ${walk.currentNode.textContent.trim().slice(0, 20)}`);
  }
  return poor;
}
