import { PALETTE } from '../markup.ts';

export const DOCS_STYLE = `${PALETTE}
* { box-sizing: border-box; }
/* Below the header, which stays. Padding of the page would move it for what is in the header itself, too. */
main, main * { scroll-margin-top: 5.5rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.65 system-ui, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--surface); }
.skip:focus { left: 0.5rem; top: 0.5rem; z-index: 2; }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

header {
  position: sticky;
  top: 0;
  z-index: 1;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem 0.7rem;
  /* In line with the columns below. */
  padding: 0.75rem max(1.5rem, 50% - 34.75rem);
  border-bottom: 1px solid var(--line);
  background: var(--ground);
}
.name { display: flex; align-items: center; gap: 0.5rem; color: inherit; font-weight: 650; text-decoration: none; }
.name svg { width: 1.75rem; height: 1.75rem; }
.version { color: var(--quiet); font-variant-numeric: tabular-nums; }
.places { display: flex; gap: 1.25rem; margin-left: auto; }
.places a { padding: 0.2rem 0; text-decoration: none; }
.places a:hover { text-decoration: underline; }

.search { position: relative; width: 17rem; margin-left: 0.75rem; }
.search[hidden] { display: none; }
/* The script is about to show it: the page does not move then. */
@media (scripting: enabled) { .search[hidden] { display: block; visibility: hidden; } }
.search input {
  width: 100%;
  padding: 0.35rem 0.75rem;
  border: 1px solid var(--quiet);
  border-radius: 0.5rem;
  background: var(--surface);
  color: inherit;
  font: inherit;
}
.search input::placeholder { color: var(--quiet); opacity: 1; }
.results {
  position: absolute;
  right: 0;
  top: calc(100% + 0.4rem);
  z-index: 1;
  width: min(38rem, 100vw - 2rem);
  max-height: min(75vh, 42rem);
  padding: 0.4rem;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--surface);
  box-shadow: 0 0.75rem 2.5rem rgb(0 0 0 / 0.25);
  overflow-y: auto;
}
.results ol { margin: 0; padding: 0; list-style: none; }
.results p { margin: 0; padding: 0.5rem 0.75rem; color: var(--quiet); }
.results a { display: block; padding: 0.5rem 0.75rem; border-radius: 0.5rem; color: inherit; text-decoration: none; }
.results a:hover, .results a:focus { background: var(--ground); }
.results :focus-visible { outline-offset: -2px; }
.results:focus { outline: none; }
.results small, .results b, .results a > span { display: block; overflow-wrap: anywhere; }
.results small, .results a > span { color: var(--quiet); font-size: 0.875rem; line-height: 1.5; }
.results mark { background: none; color: var(--accent); font-weight: 600; }

.columns {
  display: grid;
  grid-template-columns: 14rem minmax(0, 52rem);
  justify-content: center;
  gap: 3.5rem;
  padding: 0 1.5rem;
}
nav { position: sticky; top: 4.1rem; align-self: start; max-height: calc(100vh - 4.1rem); padding: 2rem 0; overflow-y: auto; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav p { margin: 1.25rem 0 0.25rem; color: var(--text); font-size: 0.8125rem; font-weight: 600; }
nav p:first-child { margin-top: 0; }
nav a { display: block; padding: 0.2rem 0.75rem 0.2rem 0; color: var(--quiet); text-decoration: none; }
nav a:hover { color: var(--accent); }
nav a[aria-current="page"] { color: var(--text); font-weight: 600; }
nav a[aria-current="location"] { color: var(--accent); }
nav ul ul { margin: 0.15rem 0 0.5rem 0.75rem; border-left: 1px solid var(--line); font-size: 0.9rem; }
nav ul ul a { padding-left: 0.75rem; }
.contents { display: none; }

main { padding: 2rem 0 6rem; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -0.01em; }
h1 { margin: 0 0 1rem; font-size: 1.9rem; }
h2 { margin: 3rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.4rem; }
h3 { margin: 2.25rem 0 0.75rem; font-size: 1.1rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover::after, h3 a:hover::after { content: " #"; color: var(--quiet); }
blockquote { margin: 1.5rem 0; padding: 0.1rem 1.25rem; border-left: 3px solid var(--accent); background: var(--surface); }
img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 0.75rem; }
code { font: 0.875em/1.6 ui-monospace, "DejaVu Sans Mono", monospace; }
:not(pre) > code { padding: 0.1em 0.3em; border-radius: 0.3em; background: var(--line); }
.code, .table {
  margin: 1rem 0;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--surface);
}
.bar {
  position: relative;
  display: flex;
  align-items: center;
  gap: 1rem;
  min-height: 2.25rem;
  padding: 0 1.1rem;
  border-bottom: 1px solid var(--line);
  color: var(--quiet);
  font-size: 0.8125rem;
}
.bar span { margin-right: auto; }
.bar a, .bar button { padding: 0.3rem 0; color: var(--accent); font: inherit; text-decoration: none; }
.bar button { position: absolute; right: 1.1rem; border: 0; background: none; cursor: pointer; }
/* Room for the button, so that nothing moves when the script adds it. */
@media (scripting: enabled) { .bar { padding-right: 4.75rem; } }
.bar a:hover, .bar button:hover { text-decoration: underline; }
/* The corners stay round where there is a scrollbar. */
.code { overflow: hidden; }
pre { margin: 0; padding: 0.9rem 1.1rem; overflow-x: auto; }
pre:focus-visible, .bar :focus-visible { outline-offset: -2px; }
.comment { color: var(--quiet); }
/* Readable on the ground of a block (contrast of at least 4.5) in both schemes. */
.keyword { color: light-dark(#a8046f, #ff8fd0); }
.string { color: light-dark(#17703f, #7fd6a4); }
.number { color: light-dark(#9a4a00, #f0b072); }
.type { color: light-dark(#0b5cad, #8ab8ff); }
.variable { color: light-dark(#7a35b0, #cfa4ff); }
.property { color: light-dark(#1d5e7a, #86d3ea); }
.table { overflow-x: auto; }
tr:target { background: var(--line); }
tr:target code { background: var(--surface); }
table { width: 100%; border-collapse: collapse; font-size: 0.925rem; }
th, td { padding: 0.55rem 0.9rem; text-align: left; vertical-align: top; overflow-wrap: break-word; }
th[align="right"], td[align="right"] { text-align: right; font-variant-numeric: tabular-nums; }
thead { border-bottom: 1px solid var(--line); }
tbody tr + tr { border-top: 1px solid var(--line); }
td:first-child code { white-space: nowrap; }
.flowchart i { color: var(--quiet); }

@media (max-width: 60rem) {
  .columns { display: block; padding: 0 1rem; }
  main, main * { scroll-margin-top: 1.5rem; }
  header { position: static; padding: 0.75rem 1rem; }
  nav { position: static; max-height: none; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  nav p { margin: 0.5rem 0 0; }
  nav ul { display: flex; flex-wrap: wrap; }
  nav ul ul { display: none; }
  nav a { padding: 0.3rem 0.75rem 0.3rem 0; }
  .contents { display: block; margin-bottom: 1.5rem; }
  .contents summary { cursor: pointer; color: var(--accent); }
  .contents ul { padding-left: 1.1rem; list-style: none; }
  .contents li a { display: inline-block; padding: 0.2rem 0; }
  main { padding-top: 1.25rem; }
  th, td { padding: 0.5rem 0.6rem; }
  table { font-size: 0.875rem; }
  td:first-child code { white-space: normal; }
  td:not(:first-child) code { overflow-wrap: anywhere; }
}
@media (max-width: 44rem) {
  .places { width: 100%; margin: 0; }
  .search { width: 100%; margin: 0; }
  /* The cells of a row stand below each other, each with the head of its column. */
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { padding: 0.5rem 0; }
  td, td[align="right"] { padding: 0.15rem 0.9rem; text-align: left; }
  td:empty { display: none; }
  td:not(:first-child)[data-head]::before { content: attr(data-head) ": "; color: var(--quiet); }
}
`;
