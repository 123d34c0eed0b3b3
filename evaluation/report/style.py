"""The style sheet of reports: light and dark, for screen and print."""

from typing import Final

STYLE: Final = """
:root {
  color-scheme: light dark;
  --text: #1c2430; --soft: #5b6675; --back: #ffffff; --panel: #f6f7f9; --rule: #dfe3e8; --link: #1f5fbf;
  --good: #1b7a43; --bad: #b3261e; --doubt: #8a5a00; --mark: #ffe9a8;
  --c1: #2f6fde; --c2: #d9480f; --c3: #2b8a3e; --c4: #9c36b5; --c5: #0c8599; --c6: #b58105; --c7: #c2255c;
  --c8: #5c677d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e8ee; --soft: #9aa5b4; --back: #14181e; --panel: #1c222b; --rule: #323b47; --link: #86b4ff;
    --good: #6bd394; --bad: #ff8f85; --doubt: #f0be5c; --mark: #5b4a12;
    --c1: #7aa7ff; --c2: #ff9466; --c3: #69db7c; --c4: #d893f0; --c5: #5bd3e3; --c6: #f2c94c; --c7: #ff87ab;
    --c8: #adb5bd;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 66rem; padding: 2.5rem 1.5rem 4rem; background: var(--back); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; margin: 2.75rem 0 .6rem; padding-top: 1rem; border-top: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p { margin: .4rem 0 .9rem; max-width: 46rem; }
a { color: var(--link); }
.soft, .note { color: var(--soft); }
.note { font-size: .9rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; margin: 1rem 0 0; padding: 0; }
.scroll { overflow-x: auto; margin: .6rem 0 1.2rem; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .32rem .9rem .32rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
td:first-child { white-space: nowrap; }
th { font-weight: 600; color: var(--soft); white-space: nowrap; border-bottom-width: 2px; }
td.number, th.number { text-align: right; white-space: nowrap; padding-left: .9rem; }
tbody tr:hover { background: var(--panel); }
code, pre { font: .85rem/1.5 ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace; }
pre {
  background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: .8rem 1rem;
  white-space: pre-wrap; overflow-wrap: anywhere;
}
figure { margin: 1rem 0 1.4rem; }
.beside { display: flex; flex-wrap: wrap; gap: 0 2.5rem; align-items: flex-start; }
.beside figure { flex: 1 1 24rem; min-width: 0; }
.plot { display: block; width: 100%; max-width: 48rem; height: auto; }
.plot text { font-size: 11px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.plot .axis-name { fill: var(--text); font-size: 12px; }
.plot .grid { stroke: var(--rule); }
.plot .axis { stroke: var(--soft); }
.plot .line polyline { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round; }
.plot .line circle { fill: var(--c); }
.plot .bar { fill: var(--c); }
.s1 { --c: var(--c1); } .s2 { --c: var(--c2); } .s3 { --c: var(--c3); } .s4 { --c: var(--c4); }
.s5 { --c: var(--c5); } .s6 { --c: var(--c6); } .s7 { --c: var(--c7); } .s8 { --c: var(--c8); }
.s2 polyline { stroke-dasharray: 7 3; } .s3 polyline { stroke-dasharray: 2 3; }
.s4 polyline { stroke-dasharray: 9 3 2 3; } .s5 polyline { stroke-dasharray: 4 3; }
.s6 polyline { stroke-dasharray: 12 4; } .s7 polyline { stroke-dasharray: 1 4; }
.pair { margin: 1.2rem 0; padding: .9rem 1rem .2rem; background: var(--panel); border: 1px solid var(--rule);
  border-radius: 6px; }
.pair header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; font-size: .9rem; }
.pair table { width: 100%; }
.pair td { overflow-wrap: anywhere; min-width: 7rem; }
.pair td:first-child, .pair td.number { min-width: 0; white-space: nowrap; overflow-wrap: normal; }
.pair tr.differs td:first-child { font-weight: 600; }
.same { color: var(--good); font-weight: 600; } .different { color: var(--bad); font-weight: 600; }
.unsure { color: var(--doubt); font-weight: 600; }
mark { background: var(--mark); color: inherit; border-radius: 2px; padding: 0 .1em; }
dl.facts {
  display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.5rem; font-size: .9rem; margin: .6rem 0 1rem;
}
dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
@media print {
  :root {
    --text: #000; --soft: #444; --back: #fff; --panel: #fff; --rule: #bbb; --link: #000; --mark: #eee;
    --good: #000; --bad: #000; --doubt: #000;
    --c1: #2f6fde; --c2: #d9480f; --c3: #2b8a3e; --c4: #9c36b5; --c5: #0c8599; --c6: #b58105; --c7: #c2255c;
    --c8: #5c677d;
  }
  body { max-width: none; padding: 0; font-size: 11pt; }
  nav { display: none; }
  .scroll { overflow: visible; }
  h2 { break-after: avoid; } figure, .pair, tr { break-inside: avoid; }
}
"""
