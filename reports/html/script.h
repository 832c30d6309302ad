// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace assay::report::html {

/// Filters and expands; the page is complete without it. A query is words and key:value pairs, all of which
/// must fit: status:violates device:cuda property:store rule:TILE-R14 and any field of a failing case
/// (swizzle:128B). #q=... in the address applies a query at once, so that a filtered view can be linked to.
inline constexpr std::string_view script = R"js(
'use strict';
(() => {
  const root = document.documentElement, input = document.getElementById('q'),
    count = document.getElementById('shown');
  root.classList.add('js');
  const rows = [...document.querySelectorAll('[data-row]')];
  const known = new Set(['status', 'device', 'property', 'rule']);
  const field = (row, key, value) => [...row.querySelectorAll('.kv dt')].some(
    dt => dt.textContent.toLowerCase().includes(key) &&
      dt.nextElementSibling.textContent.toLowerCase().includes(value));
  const fits = (row, term) => {
    const at = term.indexOf(':'), key = term.slice(0, at), value = term.slice(at + 1);
    if (at > 0 && known.has(key)) return (row.dataset[key] || '').toLowerCase().includes(value);
    if (at > 0 && field(row, key, value)) return true;
    return row.textContent.toLowerCase().includes(term);
  };
  // Sections and tables of a device, each hidden, with its heading, while the filter leaves nothing in it.
  const parts = [...document.querySelectorAll('main section, main section .scroll')].map(part => ({
    rows: [...part.querySelectorAll('[data-row]')],
    elements: [part, part.previousElementSibling].filter(e => e && (e === part || e.tagName === 'H3')),
  }));
  let picked = null;
  const apply = () => {
    const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    // The map that was clicked stays: it holds every type and swizzle.
    const stays = row => input.value === picked && row.dataset.status === 'coverage';
    const passes = (row, term) => fits(row, term) || (stays(row) && !term.startsWith('property:'));
    let shown = 0;
    for (const row of rows) shown += !(row.hidden = !terms.every(term => passes(row, term)));
    for (const part of parts)
      for (const element of part.elements)
        element.hidden = terms.length > 0 && !part.rows.some(row => !row.hidden);
    count.textContent = terms.length ? shown + ' of ' + rows.length + ' rows' : '';
    root.dataset.shown = shown;
  };
  const remember = () => {
    const hash = input.value ? '#q=' + encodeURIComponent(input.value) : ' ';
    try { history.replaceState(null, '', hash === ' ' ? location.pathname : hash); } catch {}
  };
  let timer;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => { apply(); remember(); }, 120);
  });
  addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== input) { event.preventDefault(); input.focus(); }
  });
  const reveal = () => {
    if (location.hash.startsWith('#q=')) {
      try { input.value = decodeURIComponent(location.hash.slice(3)); }
      catch { input.value = location.hash.slice(3); }
      apply();
    }
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    for (let e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
  };
  addEventListener('hashchange', reveal);
  // A cell of a heat map filters by its row, its column and its property.
  const pick = cell => {
    input.value = picked = cell.dataset.q; apply(); remember(); input.scrollIntoView({block: 'nearest'});
  };
  for (const table of document.querySelectorAll('table.map[data-r]')) {
    const heads = [...table.querySelectorAll('thead th')].slice(1);
    const property = table.closest('[data-property]');
    for (const row of table.tBodies[0].rows)
      [...row.cells].slice(1).forEach((cell, i) => {
        const terms = property ? ['property:' + property.dataset.property] : [];
        terms.push(table.dataset.r + ':' + row.cells[0].textContent);
        if (heads[i]) terms.push(table.dataset.c + ':' + heads[i].textContent);
        if (terms.some(term => /\s/.test(term)) || cell.classList.contains('never')) return;
        cell.dataset.q = terms.join(' ');
        cell.tabIndex = 0;
        cell.title = 'filter: ' + cell.dataset.q;
        cell.addEventListener('click', () => pick(cell));
        cell.addEventListener('keydown', event => { if (event.key === 'Enter') pick(cell); });
      });
  }
  for (const code of document.querySelectorAll('code.replay, code.command')) {
    const button = document.createElement('button');
    button.type = 'button', button.className = 'copy', button.textContent = 'copy';
    const text = code.textContent;
    button.addEventListener('click', event => {
      event.preventDefault();
      navigator.clipboard.writeText(text).then(() => { button.textContent = 'copied'; },
                                               () => getSelection().selectAllChildren(code));
    });
    code.prepend(button);
  }
  // On paper the first failures are shown whole, the others and the coverage by their headings.
  const wholeOnPaper = 20;
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details.fail:not([data-status=coverage])')].slice(0, wholeOnPaper)
      .filter(details => !details.open);
    for (const details of closed) details.open = true;
  });
  addEventListener('afterprint', () => { for (const details of closed) details.open = false; });
  reveal();
  root.dataset.ready = rows.length;
})();
)js";

}  // namespace assay::report::html
