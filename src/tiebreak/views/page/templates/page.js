"use strict";
// Nothing here is needed to read the page: it sorts, filters and copies tables, and opens what a link points into.
(() => {
  const said = document.getElementById("said");
  const say = (text) => { said.textContent = text; setTimeout(() => { said.textContent = ""; }, 2500); };
  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  const number = (cell) => {
    const data = cell.querySelector("data");
    const held = data ? data.value : text(cell);
    return held === "" ? NaN : Number(held);
  };
  const text = (cell) => cell.textContent.trim();

  const sort = (table, column, head) => {
    const ascending = head.getAttribute("aria-sort") === "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const sign = ascending ? 1 : -1;
    const rows = [...table.tBodies[0].rows].map((row) => [row, number(row.cells[column]), text(row.cells[column])]);
    const numeric = rows.some(([, value]) => !Number.isNaN(value));
    rows.sort(([, a, s], [, b, t]) => {
      if (!numeric) return -sign * s.localeCompare(t, undefined, { numeric: true });
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
      return sign * (a - b);
    });
    table.tBodies[0].append(...rows.map(([row]) => row));
  };

  const copied = (table) => [...table.rows].filter((row) => !row.hidden).map((row) => [...row.cells].map((cell) => {
    const data = cell.querySelector("data");
    return (data && table.matches(".grid") ? String(data.value) : text(cell)).replace(/\s+/g, " ");
  }).join("\t")).join("\n");

  const copy = async (table) => {
    const held = copied(table);
    try {
      await navigator.clipboard.writeText(held);
    } catch {
      const area = make("textarea", { value: held });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say("Copied, with all digits");
  };

  const filter = (table, wanted) => {
    const looked = wanted.trim().toLowerCase();
    let left = 0;
    for (const row of table.tBodies[0].rows) {
      row.hidden = ![...row.cells].some((cell) => text(cell).toLowerCase().includes(looked));
      left += !row.hidden;
    }
    say(`${left} rows`);
  };

  const equip = (table) => {
    const name = text(table.caption);
    const tools = make("div", { className: "tools" });
    if (table.tBodies[0].rows.length > 8) {
      const label = make("label", { textContent: "Filter " });
      const input = make("input", { type: "search" });
      input.setAttribute("aria-label", `Filter the rows of ${name}`);
      input.addEventListener("input", () => filter(table, input.value));
      label.append(input);
      tools.append(label);
    }
    const button = make("button", { type: "button", textContent: "Copy table" });
    button.setAttribute("aria-label", `Copy the table ${name}`);
    button.addEventListener("click", () => copy(table));
    tools.append(button);
    table.parentElement.before(tools);
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.tagName !== "TH" || table.tBodies[0].rows.length < 2) return;
      const sorter = make("button", { type: "button" });
      sorter.append(...head.childNodes);
      sorter.addEventListener("click", () => sort(table, column, head));
      head.append(sorter);
    });
  };
  document.querySelectorAll("table.grid").forEach(equip);

  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
})();
