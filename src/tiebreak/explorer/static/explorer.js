// Comfort only: every page is complete without it.
"use strict";

// A choice of models or of a column to count by takes effect at once.
for (const form of document.querySelectorAll("form.pair, .counts form")) {
  for (const choice of form.querySelectorAll("select")) {
    choice.addEventListener("change", () => form.requestSubmit());
  }
}

// Fields that say nothing stay out of the address.
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", () => {
    const fields = form.elements;
    const silent = (name) => fields[name] && !(fields[name] instanceof RadioNodeList) && fields[name].value === "";
    for (const name of ["true", "said", "id", "text", "sort", "after"]) {
      if (silent(name)) {
        fields[name].disabled = true;
        if (name === "said" && fields.by) fields.by.disabled = true;
        if (name === "text" && fields.within) fields.within.disabled = true;
        if (name === "sort" && fields.order) fields.order.disabled = true;
      }
    }
    const column = form.querySelector("select#column");
    if (column && column.value === "") {
      for (const part of ["column", "test", "value"]) form.querySelector(`#${part}`).disabled = true;
    }
  });
}

// A page that the browser brings back has its fields again.
window.addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("form :disabled")) field.disabled = false;
});

// Keys, where nobody is writing: n and p turn the page, j and k walk the rows, slash goes to the search.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) return;
  const follow = (selector) => document.querySelector(selector)?.click();
  const links = [...document.querySelectorAll("#rows tbody th a")];
  const walk = (step) => {
    const place = links.indexOf(document.activeElement);
    links[place === -1 ? 0 : Math.min(Math.max(place + step, 0), links.length - 1)]?.focus();
  };
  const keys = {
    n: () => follow("a[rel=next]"),
    p: () => follow("a[rel=prev]"),
    u: () => follow("a[rel=up]"),
    j: () => walk(1),
    k: () => walk(-1),
    "/": () => document.querySelector("#text")?.focus(),
  };
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
