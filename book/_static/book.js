// The scoreboard: choose by paper and verdict, sort by any column, a screenful of rows until more are asked
// for. Without it the table still reads.
const FIRST = 40;
function addFilters(box) {
  const rows = Array.from(box.querySelectorAll("tbody tr"));
  const heads = Array.from(box.querySelectorAll("thead th"));
  const text = (row, column) => row.children[column].textContent.trim();
  const bar = document.createElement("div");
  bar.className = "filters";
  const shown = document.createElement("span");
  const more = document.createElement("button");
  more.type = "button";
  const chosen = [];
  let all = false;

  const apply = () => {
    let count = 0;
    for (const row of rows) {
      const fits = chosen.every(([column, select]) => !select.value || text(row, column) === select.value);
      count += fits;
      row.hidden = !fits || (!all && count > FIRST);
    }
    more.hidden = all || count <= FIRST;
    more.textContent = `Show all ${count}`;
    shown.textContent = `${more.hidden ? count : FIRST} of ${rows.length} rows`;
  };
  more.addEventListener("click", () => {
    all = true;
    apply();
  });

  for (const name of ["paper", "verdict", "before", "now"]) {
    const column = heads.findIndex((head) => head.textContent === name);
    if (column < 0) continue;
    const select = document.createElement("select");
    select.setAttribute("aria-label", name === "before" || name === "now" ? `choose what is ${name}` : `choose a ${name}`);
    select.add(new Option(name === "before" || name === "now" ? `${name}: every verdict` : `every ${name}`, ""));
    for (const value of new Set(rows.map((row) => text(row, column)))) select.add(new Option(value));
    select.addEventListener("change", apply);
    chosen.push([column, select]);
    bar.append(select);
  }
  bar.append(shown);
  box.before(bar);
  box.after(more);
  apply();

  const number = (value) => parseFloat(value.replace(/,/g, ""));
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.textContent = head.textContent;
    button.title = "sort by this column";
    head.replaceChildren(button);
    let direction = 1;
    button.addEventListener("click", () => {
      const compare = (a, b) => {
        const [x, y] = [text(a, column), text(b, column)];
        const [p, q] = [number(x), number(y)];
        if (!x || !y) return Boolean(y) - Boolean(x) ? (x ? -1 : 1) : 0;
        return direction * (Number.isNaN(p) || Number.isNaN(q) ? x.localeCompare(y) : p - q);
      };
      rows.sort(compare);
      rows[0].parentNode.append(...rows);
      apply();
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      direction = -direction;
    });
  });
}
document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".filterable").forEach(addFilters));

// The theme names some buttons otherwise than what they show, calls lists what are none, and its wide
// outputs scroll only by mouse: let names be the visible text, and what scrolls be reached by keyboard.
document.addEventListener("DOMContentLoaded", () => {
  for (const element of document.querySelectorAll(".search-button__button, summary[aria-label]")) {
    element.removeAttribute("aria-label");
  }
  document.querySelectorAll("summary").forEach((element) => {
    if (!element.textContent.trim()) element.setAttribute("aria-label", "pages below this one");
  });
  for (const element of document.querySelectorAll(".citation-list")) element.removeAttribute("role");
  document.querySelectorAll("pre, .cell_output, .text_html, .pst-scrollable-table-container, mjx-container[display]").forEach((element) => {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
  });
});

// Panels that recompute a table, and games, load only where there are some. A page opened as a file may not run modules.
document.addEventListener("DOMContentLoaded", () => {
  for (const [kind, file, what] of [["recompute", "live", "recompute it"], ["play", "play", "play it"]]) {
    const places = document.querySelectorAll(`div.${kind}`);
    const say = (words) => {
      for (const place of places) place.append(Object.assign(document.createElement("p"), { textContent: words }));
    };
    if (!places.length) continue;
    if (location.protocol === "file:") say(`To ${what} in this page, open the book through a server: make serve.`);
    else import(`./live/${file}.js`).catch((error) => say(`This browser cannot ${what} in the page (${error.message}).`));
  }
});
