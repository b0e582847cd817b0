// The report's style sheet. Its colours are those of Okabe and Ito, which the colour-blind tell
// apart; darkened where they are to stand on white (yellow, sky blue), lightened where on black.
#ifndef TAMIS_BENCH_REPORT_STYLE_H_
#define TAMIS_BENCH_REPORT_STYLE_H_

namespace tamis::bench {

inline constexpr const char* kStyleSheet = R"css(
:root {
  --paper: #fff; --card: #fff; --ink: #1c2025; --soft: #59626d; --rule: #d5dae0; --grid: #e8ebef;
  --head: #f2f4f7; --warn: #fff3d6; --warn-edge: #d98e00;
  --c0: #0072b2; --c1: #d55e00; --c2: #009170; --c3: #b5568f; --c4: #c98700; --c5: #3b9fd8;
  --c6: #5b4bb3; --c7: #6b7280;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --card: #1b1f24; --ink: #e6e9ed; --soft: #a3adb9; --rule: #39414b;
    --grid: #2a3037; --head: #242a31; --warn: #3a2d0d; --warn-edge: #e0a526;
    --c0: #4aa8e8; --c1: #ff8a3d; --c2: #2fc79f; --c3: #e08fc0; --c4: #f0b429; --c5: #8fd3ff;
    --c6: #a99bff; --c7: #aab2bd;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: .5rem 0 .25rem; }
h2 { font-size: 1.25rem; margin: 3rem 0 .25rem; padding-top: 1rem;
  border-top: 1px solid var(--rule); }
p { margin: .4rem 0 1rem; max-width: 46rem; }
p.absent, p.lead { color: var(--soft); }
p.absent { font-style: italic; }
p.warn { background: var(--warn); border-left: 4px solid var(--warn-edge); padding: .6rem .9rem;
  max-width: none; }
.charts { display: grid; gap: 1.25rem; margin: 1rem 0 1.25rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); }
figure { margin: 0; padding: .9rem 1rem 1rem; background: var(--card); max-width: 40rem;
  border: 1px solid var(--rule); border-radius: 8px; }
figcaption { font-weight: 600; line-height: 1.35; margin-bottom: .5rem; }
figcaption small { display: block; font-weight: 400; font-size: .82rem; color: var(--soft); }
svg.chart { display: block; width: 100%; height: auto; }
svg text { font-size: 12.5px; fill: var(--ink); font-family: inherit; }
svg .tick { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
svg .name { fill: var(--soft); font-size: 12.5px; }
svg .value { font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--grid); stroke-width: 1; }
svg .axis { stroke: var(--soft); stroke-width: 1; }
svg .mark { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 1 4; }
svg .line { fill: none; stroke: var(--c); stroke-width: 2.2; stroke-linejoin: round; }
svg .marker { fill: var(--c); stroke: var(--card); stroke-width: 1; }
svg .bar { fill: var(--c); }
svg .dashed { stroke-dasharray: 7 5; stroke-width: 1.8; }
svg .d1:not(.dashed) { stroke-dasharray: 9 3; }
svg .d2:not(.dashed) { stroke-dasharray: 3 3; }
svg .marker.d1, svg .marker.d2 { stroke-dasharray: none; }
.s0 { --c: var(--c0); } .s1 { --c: var(--c1); } .s2 { --c: var(--c2); } .s3 { --c: var(--c3); }
.s4 { --c: var(--c4); } .s5 { --c: var(--c5); } .s6 { --c: var(--c6); } .s7 { --c: var(--c7); }
.ref { --c: var(--soft); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; padding: 0;
  margin: .6rem 0 0; font-size: .85rem; }
.legend li { display: flex; align-items: center; gap: .45rem; min-width: 0; }
.legend span { overflow-wrap: anywhere; }
svg.swatch { flex: none; width: 34px; height: 14px; }
.scroll { overflow: auto; max-height: 25rem; border: 1px solid var(--rule); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .86rem;
  font-variant-numeric: tabular-nums; }
th, td { padding: .34rem .55rem; text-align: left; white-space: nowrap; }
thead th { position: sticky; top: 0; background: var(--head); font-weight: 600; }
tbody tr + tr td { border-top: 1px solid var(--grid); }
.n { text-align: right; }
#machines td:first-child { color: var(--soft); }
#machines td { white-space: normal; }
#machines .scroll { max-height: none; }
@media (max-width: 34rem) {
  main { padding: 1rem .75rem 3rem; }
  figure { padding: .7rem .6rem .8rem; }
  h1 { font-size: 1.45rem; }
  svg text, svg .tick, svg .name { font-size: 14px; }
}
@media print {
  html { font-size: 11px; }
  h2 { margin-top: 1.5rem; }
  main { max-width: none; padding: 0; }
  .charts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .scroll { max-height: none; overflow: visible; border: none; }
  table { font-size: .8rem; }
  th, td { padding: .15rem .4rem; }
  #rows table { font-size: .46rem; }
  #rows th, #rows td { padding: .1rem .15rem; white-space: normal; }
  thead th { position: static; }
  figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
)css";

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_REPORT_STYLE_H_
