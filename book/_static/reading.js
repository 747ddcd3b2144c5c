// Reading on any screen. Tables wider than their column are stacked, a row becoming a block; long formulas
// shrink; figures can be enlarged, and every table, figure and claim has a link to copy. Without
// this script wide things scroll, and nothing else is lost.
const make = (name, properties, ...inside) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...inside);
  return element;
};

// A table is stacked when its natural width exceeds its column's; each cell then says its column's head.
function stack(table) {
  const heads = Array.from(table.querySelectorAll("thead tr:last-child > *"), (head) => head.textContent.trim());
  for (const row of table.querySelectorAll("tbody tr")) {
    Array.from(row.children).forEach((cell, column) => {
      if (heads[column]) cell.dataset.head = heads[column];
      if (!cell.textContent.trim()) cell.dataset.empty = "";
    });
  }
  const column = table.parentElement;
  let natural = 0;
  const fit = () => {
    if (!column.clientWidth) return; // folded away
    if (!table.classList.contains("stacked")) natural = table.scrollWidth;
    table.classList.toggle("stacked", natural > column.clientWidth + 1);
    if (!table.classList.contains("stacked")) natural = table.scrollWidth;
    if (natural > column.clientWidth + 1) table.classList.add("stacked");
  };
  new ResizeObserver(fit).observe(column);
  fit();
}

// A formula wider than its column shrinks to fit it.
function shrink(formula) {
  const fit = () => {
    formula.style.fontSize = "";
    const inner = formula.querySelector("mjx-math") ?? formula;
    const ratio = formula.clientWidth / Math.max(inner.scrollWidth, inner.getBoundingClientRect().width);
    if (ratio < 1) formula.style.fontSize = `${Math.floor(98 * ratio)}%`;
  };
  new ResizeObserver(fit).observe(formula.parentElement);
  fit();
}

function enlarge(picture, words) {
  const copy = picture.cloneNode(true);
  copy.removeAttribute("id");
  const close = make("button", { type: "button", textContent: "Close" });
  const box = make("dialog", { className: "enlarged" }, make("div", { tabIndex: 0 }, copy), close);
  box.setAttribute("aria-label", words || "the figure, enlarged");
  box.addEventListener("close", () => box.remove());
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation(); // the theme's own handler would keep the dialog open
    box.close();
  });
  box.addEventListener("click", (event) => event.target === box && box.close());
  close.addEventListener("click", () => box.close());
  document.body.append(box);
  box.showModal();
}

// The nearest name of a place: its own, or the label that stands right before it.
function nameOf(place) {
  if (place.id) return place.id;
  const label = place.closest(".cell")?.previousElementSibling;
  return label?.matches("span[id]") ? label.id : "";
}

function addTools(place) {
  const bar = make("span", { className: "tools" });
  const name = nameOf(place);
  if (name) {
    const link = make("a", { href: `#${name}`, textContent: "copy link", role: "button" });
    link.addEventListener("click", async (event) => {
      event.preventDefault(); // copying does not move the page
      const address = new URL(`#${name}`, location.href).href;
      try {
        await navigator.clipboard.writeText(address);
        link.textContent = "link copied";
      } catch {
        link.textContent = address;
      }
      setTimeout(() => (link.textContent = "copy link"), 2500);
    });
    bar.append(link);
  }
  const picture = place.matches("figure, .drawn") && place.querySelector("img, svg");
  if (picture) {
    const button = make("button", { type: "button", textContent: "enlarge" });
    const open = () => enlarge(picture, picture.alt || picture.getAttribute("aria-label"));
    button.addEventListener("click", open);
    picture.addEventListener("click", open);
    picture.classList.add("can-enlarge");
    bar.append(button);
  }
  if (bar.children.length) (place.querySelector("figcaption") ?? place).append(bar);
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".bd-article table").forEach((table) => {
    if (!table.closest(".recompute, .play")) stack(table);
  });
  document.querySelectorAll(".bd-article :is(figure, .drawn, .beside[id], article.claim)").forEach((place) => {
    if (!place.closest(".covers, .recompute, .play")) addTools(place);
  });
  const formulas = () => document.querySelectorAll('mjx-container[display="true"]').forEach(shrink);
  window.MathJax?.startup?.promise?.then(formulas);
  // a page is printed in light colours, with everything unfolded
  const root = document.documentElement;
  let theme = "";
  window.addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
    for (const folded of document.querySelectorAll(".bd-article details")) folded.open = true;
  });
  window.addEventListener("afterprint", () => {
    root.dataset.theme = theme;
  });
});
