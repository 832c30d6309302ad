// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace assay::report::html {

/// Verdicts are never told by colour alone: the word is always there. Silicon and emulator differ in border,
/// fill, pattern and words.
inline constexpr std::string_view style = R"css(
:root{color-scheme:light dark;
--page:#f7f7f5;--card:#fff;--ink:#1b1f24;--soft:#5a636e;--line:#dcdfe3;--rule:#c3c8ce;--code:#f0f1f2;
--ok:#17653c;--ok-b:#e4f3ea;--bad:#a31d17;--bad-b:#fbe9e7;--warn:#7d4e00;--warn-b:#fbf0da;--note:#1d4f8f;
--note-b:#e6eef9;
--off:#59626c;--off-b:#eceef0;--mark:#ffd9d3;--mark-i:#8c0f08;--stripe:#e9e6f3;--emu:#5b3e96;
--h1:#e3eef4;--h2:#bddbe8;--h3:#8bc0d6;--h4:#2f7d9c;--h5:#155a77;--h45:#fff}
@media screen and (prefers-color-scheme:dark){:root{
--page:#14171a;--card:#1c2024;--ink:#e4e7ea;--soft:#a6b0ba;--line:#2e343a;--rule:#454c54;--code:#262b30;
--ok:#7fd3a2;--ok-b:#173325;--bad:#ff9b90;--bad-b:#451c19;--warn:#f0c070;--warn-b:#3a2c12;--note:#9cc3f5;
--note-b:#1b2d45;
--off:#a5aeb7;--off-b:#2a2f34;--mark:#6b221c;--mark-i:#ffd5cf;--stripe:#2b2540;--emu:#c4aef5;
--h1:#1d2b32;--h2:#1f4150;--h3:#225b72;--h4:#3d98b9;--h5:#74c6e4;--h45:#071318}}
*{box-sizing:border-box}
html{scroll-padding-top:3.4rem}
body{margin:0;background:var(--page);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;
font-variant-numeric:tabular-nums}
main,header.top,footer{max-width:1200px;margin:0 auto;padding:0 24px}
code,pre,.mono{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",
monospace;font-size:.88em}
a{color:inherit;text-decoration-color:var(--rule);text-underline-offset:.2em}
h2{font-size:1.25rem;font-weight:650;margin:2.6rem 0 .3rem;letter-spacing:-.005em}
h3{font-size:1rem;font-weight:650;margin:1.5rem 0 .4rem;overflow-wrap:anywhere}
p{margin:.3rem 0}.soft{color:var(--soft)}.lead{color:var(--soft);max-width:76ch;margin-bottom:.9rem}
.brand{margin:1.4rem 0 .8rem;color:var(--soft);font-size:.9rem;font-weight:400}
.brand b{color:var(--ink);letter-spacing:.02em}
.call{display:flex;gap:.45rem 1.4rem;align-items:center;flex-wrap:wrap;border:1px solid var(--line);
border-left:8px solid;border-radius:6px;padding:.9rem 1.3rem;background:var(--card)}
.call strong{font-size:1.9rem;line-height:1.15;letter-spacing:-.015em;font-weight:700}
.call p{font-size:1.05rem;margin:0}
.call .exit{margin-left:auto;text-align:right;color:var(--soft);font-size:.9rem}
.call .exit b{display:block;font-size:1.5rem;line-height:1.1;color:var(--ink)}
.call.ok{border-left-color:var(--ok)}.call.ok strong{color:var(--ok)}.call.bad{border-left-color:var(--bad)}
.call.bad strong{color:var(--bad)}
.call.warn{border-left-color:var(--warn)}.call.warn strong{color:var(--warn)}
.call.note{border-left-color:var(--note)}.call.note strong{color:var(--note)}
.call.off{border-left-color:var(--off)}.call.off strong{color:var(--off)}
.run{flex:1 0 100%;display:flex;flex-wrap:wrap;gap:.1rem 1.5rem;font-size:.9rem!important;color:var(--soft)}
.run b{color:var(--ink);font-weight:600}
.command{flex:1 0 100%;overflow-wrap:anywhere;max-height:4.6em;overflow-y:auto}
.kv dt{color:var(--soft);font-size:.8rem}
.devices{list-style:none;margin:1rem 0 .3rem;padding:0}
.device{border:1px solid var(--line);border-left:4px solid var(--ink);
border-radius:4px;background:var(--card);
padding:.5rem .9rem;margin:.35rem 0;overflow-wrap:anywhere}
.device.emulator{border-left:4px dashed var(--emu)}.device .id{color:var(--soft);font-size:.84rem}
.device .replay::before{content:""}
.t-ok{fill:var(--ok)}.t-bad{fill:var(--bad)}.t-warn{fill:var(--warn)}.t-note{fill:var(--note)}
.t-off{fill:var(--rule)}.ink{fill:var(--ink)}.stroke{stroke:var(--card);stroke-width:2;fill:none}
svg{max-width:100%;height:auto}
svg.bar{width:92px;height:10px;max-width:none;vertical-align:middle}
.t .name p,.t .name details{display:inline-block;margin:0 .9rem 0 0;vertical-align:top}
.spec{display:flex;flex-wrap:wrap;gap:.9rem 1.6rem}.spec figure{margin:0;width:208px}
.spec svg,.spec span{display:block;font-size:.78rem}.spec figcaption{font-size:.82rem;font-weight:600}
.spec rect:hover,.pic rect:hover{stroke:var(--ink);stroke-width:2}
.first .maps{gap:.2rem 1.4rem}.first .pic{margin:.3rem 0}
.weakest{float:right;color:var(--soft);font-size:.84rem}details.area>table.t{border-width:1px 0 0}
.over{width:100%;table-layout:fixed}
.over td{min-width:0;text-align:center}.over th{overflow-wrap:anywhere;white-space:normal!important}
.kind{display:inline-block;border-radius:3px;padding:.1rem .5rem;font-size:.78rem;font-weight:700;
letter-spacing:.03em;white-space:nowrap}
.kind.silicon{background:var(--ink);color:var(--card)}
.kind.emulator{color:var(--emu);border:1px dashed var(--emu);
background:repeating-linear-gradient(135deg,var(--stripe) 0 6px,transparent 6px 12px)}
.kind.published{color:var(--ink);border:1px dotted var(--ink)}
.v{display:inline-block;border-radius:3px;padding:.05rem .45rem;font-size:.84rem;font-weight:650;
white-space:nowrap}
.v.ok{color:var(--ok);background:var(--ok-b)}.v.bad{color:var(--bad);background:var(--bad-b)}
.v.warn{color:var(--warn);background:var(--warn-b)}
.v.note{color:var(--note);background:var(--note-b)}.v.off{color:var(--off);background:var(--off-b)}
.first{list-style:none;margin:.4rem 0 0;padding:0;border:1px solid var(--line);border-radius:6px;
background:var(--card)}
.first li{padding:.65rem 1rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
.first li:first-child{border-top:0}
.replay{display:block;background:var(--code);border-radius:4px;padding:.3rem .6rem;margin:.35rem 0 0;
user-select:all;white-space:pre-wrap;overflow-wrap:anywhere}
.replay::before{content:"replay  ";color:var(--soft);user-select:none}
.copy{float:right;font:inherit;font-size:.78rem;line-height:1.3;margin-left:.6rem;
border:1px solid var(--rule);border-radius:3px;background:var(--card);color:var(--soft);cursor:pointer;
user-select:none}.copy:hover{color:var(--ink)}
nav{position:sticky;top:0;z-index:2;background:var(--page);border-bottom:1px solid var(--line);
margin-top:1.6rem}
nav>div{max-width:1200px;margin:0 auto;padding:.5rem 24px;display:flex;gap:.3rem 1.1rem;align-items:center;
flex-wrap:wrap;font-size:.9rem}
nav input{margin-left:auto;flex:0 1 21rem;min-width:9rem;font:inherit;padding:.22rem .55rem;
border:1px solid var(--rule);border-radius:4px;background:var(--card);color:inherit}
nav output{color:var(--soft);font-size:.84rem}.js-only{display:none}.js .js-only{display:initial}
.scroll{overflow-x:auto}
table.t{border-collapse:collapse;width:100%;background:var(--card);border:1px solid var(--line);
font-size:.93rem}
.t th{font-weight:600;text-align:left;font-size:.8rem;color:var(--soft);border-bottom:1px solid var(--rule);
padding:.4rem .65rem;vertical-align:bottom}
.t td{padding:.5rem .65rem;border-top:1px solid var(--line);vertical-align:top}
.t .where{overflow-wrap:anywhere;min-width:11rem}.t .num{text-align:right;white-space:nowrap}
.t td.name{overflow-wrap:anywhere;min-width:15rem}.t .tag{white-space:nowrap}
.chip.culprit{border-color:var(--bad);background:var(--bad-b);color:var(--bad);font-weight:650}
.chip.suspect{border-color:var(--warn);background:var(--warn-b);color:var(--warn);font-weight:650}
.chip{display:inline-block;border:1px solid var(--line);border-radius:3px;padding:0 .35rem;
margin:.1rem .15rem 0 0;font-size:.78rem;text-decoration:none;overflow-wrap:anywhere}
.env td{padding:.22rem .65rem}.env td:first-child{width:24rem;color:var(--soft)}
.cite{color:var(--soft);font-size:.82rem}
details.fail{background:var(--card);border:1px solid var(--line);border-radius:6px;margin:.6rem 0;
overflow-wrap:anywhere;content-visibility:auto;contain-intrinsic-size:auto 5rem}
details.fail>summary{padding:.6rem 1rem;cursor:pointer}details.fail>summary:hover{background:var(--code)}
.brief{background:var(--card);border:1px solid var(--line);border-radius:6px;margin:.4rem 0;
padding:.5rem 1rem;overflow-wrap:anywhere}
.body{padding:.1rem 1rem 1rem}
.kv{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.35rem 1.2rem;
margin:.8rem 0}.kv dd{margin:0}
.kv div{min-width:0}
pre{margin:.5rem 0;overflow-x:auto}
pre.hex{background:var(--code);border-radius:4px;padding:.6rem .8rem;line-height:1.45;font-size:.82rem}
.hex b{background:var(--mark);color:var(--mark-i);font-weight:700;border-radius:2px}
.hex i{color:var(--soft);font-style:normal}.hex u{color:var(--soft);text-decoration:none}
table.bits{border-collapse:collapse;margin:.5rem 0;font-size:.82rem}
.bits th{font-weight:500;color:var(--soft);text-align:left;padding:0 .7rem 0 0}
.bits td{padding:0 .7rem 0 0;white-space:nowrap}
.bits b{background:var(--mark);color:var(--mark-i);border-radius:2px}
.pic{margin:.6rem 0}.pic svg{display:block}.pic .e{fill:var(--h3)}.pic .x{fill:var(--bad)}
.pic text{font-size:11px;fill:var(--soft);text-anchor:start}.pic text.end{text-anchor:end}
.pic rect.x:hover{fill:var(--ink)}
.map.pieces td,.map.grid td{text-align:center;min-width:2.6rem;padding:.1rem .3rem}
.map.grid td.v{display:table-cell}.map td[title]{cursor:help}
.pic span.e{color:var(--h3)}.pic span.x{color:var(--bad)}.pic figcaption{font-size:.82rem}
pre.words{white-space:pre-wrap;color:var(--soft)}
details.more>summary{cursor:pointer;color:var(--soft);font-size:.88rem;margin:.3rem 0}
.maps{overflow-x:auto;display:flex;flex-wrap:wrap;gap:1rem 1.6rem;align-items:flex-start}
.map{border-collapse:separate;border-spacing:2px;font-size:.78rem}
.map caption{text-align:left;font-weight:600;padding:.2rem 0;font-size:.85rem}
.map th{font-weight:500;color:var(--soft);text-align:right;padding:0 .35rem;white-space:nowrap}
.map thead th{text-align:center;font-size:.72rem;white-space:normal;max-width:4.4rem;line-height:1.2;
vertical-align:bottom}
.map td{min-width:3.5rem;text-align:right;padding:.1rem .35rem;border-radius:2px}
.h1{background:var(--h1)}.h2{background:var(--h2)}.h3{background:var(--h3)}
.h4{background:var(--h4);color:var(--h45)}.h5{background:var(--h5);color:var(--h45)}
.miss{background:var(--bad-b);color:var(--bad);font-weight:700;outline:2px solid var(--bad);
outline-offset:-2px}
.never{color:var(--soft);text-align:center!important}
.key{max-width:none}.key span{font-size:.78rem}
.names{columns:24rem;font-size:.82rem;margin:.3rem 0;padding-left:1.1rem}
footer{margin:3rem auto 2rem;color:var(--soft);font-size:.84rem}
[hidden]{display:none!important}
@media(max-width:640px){main,header.top,footer{padding:0 14px}nav{position:static}nav>div{padding:.5rem 14px}
nav input{flex:1 1 100%}.call strong{font-size:1.5rem}.call .exit{margin-left:0;text-align:left}
.call .exit b{display:inline;font-size:1rem}
.t,.t tbody,.t tr,.t td{display:block;min-width:0!important;width:auto!important}.t thead{display:none}
.t tr{border-top:1px solid var(--line);padding:.35rem 0}.t td{border:0;padding:.1rem .7rem}
.t td.num{text-align:left;white-space:normal}.t td[data-label]{display:inline-block}
.t td[data-label]::before{content:attr(data-label) " ";color:var(--soft);font-size:.8rem}
.spec figure{width:calc(50% - .8rem)}.map .x{display:none}
.over{font-size:.66rem;border-spacing:1px}.over td{padding:.1rem 0}
.over th{padding:0 .1rem;font-size:.62rem;hyphens:auto}.names{columns:1}}
@media print{:root{color-scheme:light}body{background:#fff;font-size:10.5pt}
nav,.copy{display:none}
main,header.top,footer{max-width:none;padding:0}
.scroll{overflow:visible}.t td,.t th{padding:.3rem .45rem}.t td.name{min-width:0}
.call,.first li,tr,.map,.pic,pre.hex,table.bits,.kv>div,summary{break-inside:avoid}
h2,h3,.lead,summary{break-after:avoid}.names{columns:13rem}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}details.fail{content-visibility:visible}}
@page{margin:14mm}
)css";

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
