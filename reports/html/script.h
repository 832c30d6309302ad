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
  const parts = [...document.querySelectorAll('main section, main section > table, ' +
    'main section > details.area')].map(part => ({
    rows: [...part.querySelectorAll('[data-row]')],
    elements: [part, part.previousElementSibling].filter(e => e && (e === part || e.tagName === 'H3')),
  }));
  const apply = () => {
    const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) shown += !(row.hidden = !terms.every(term => fits(row, term)));
    if (terms.length)
      for (const row of rows)
        if (!row.hidden)
          for (let e = row.parentElement; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
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
  // On paper the first failures are shown whole, the others by their headings.
  const wholeOnPaper = 20;
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details.fail[data-row]')].slice(0, wholeOnPaper)
      .filter(details => !details.open);
    for (const details of closed) details.open = true;
  });
  addEventListener('afterprint', () => { for (const details of closed) details.open = false; });
  reveal();
  root.dataset.ready = rows.length;
})();
)js";

}  // namespace assay::report::html
