import { PALETTE } from '../palette.ts';

export const STYLE = `${PALETTE}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.65 system-ui, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--surface); }
.skip:focus { left: 0.5rem; top: 0.5rem; z-index: 1; }

header { display: flex; align-items: center; gap: 0.7rem; padding: 1rem 1.5rem; border-bottom: 1px solid var(--line); }
header a { display: flex; align-items: center; gap: 0.5rem; color: inherit; font-weight: 650; text-decoration: none; }
header svg { width: 1.75rem; height: 1.75rem; }
header > span { color: var(--quiet); font-variant-numeric: tabular-nums; }

.columns {
  display: grid;
  grid-template-columns: 14rem minmax(0, 52rem);
  justify-content: center;
  gap: 3.5rem;
  padding: 0 1.5rem;
}
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; padding: 2rem 0; overflow-y: auto; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: 0.2rem 0.75rem; color: var(--quiet); text-decoration: none; }
nav a:hover { color: var(--accent); }
nav a[aria-current] { color: var(--text); font-weight: 600; }
nav ul ul { margin: 0.15rem 0 0.5rem 0.75rem; border-left: 1px solid var(--line); font-size: 0.9rem; }

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
pre, .table {
  margin: 1rem 0;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--surface);
  overflow-x: auto;
}
pre { padding: 0.9rem 1.1rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.925rem; }
th, td { padding: 0.55rem 0.9rem; text-align: left; vertical-align: top; overflow-wrap: break-word; }
th[align="right"], td[align="right"] { text-align: right; font-variant-numeric: tabular-nums; }
thead { border-bottom: 1px solid var(--line); }
tbody tr + tr { border-top: 1px solid var(--line); }
td:first-child code { white-space: nowrap; }
.flowchart i { color: var(--quiet); }

@media (max-width: 60rem) {
  .columns { display: block; padding: 0 1rem; }
  header { padding: 0.75rem 1rem; }
  nav { position: static; max-height: none; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  nav ul { display: flex; flex-wrap: wrap; }
  nav ul ul { display: none; }
  nav a { padding: 0.3rem 0.75rem 0.3rem 0; }
  main { padding-top: 1.25rem; }
  th, td { padding: 0.5rem 0.6rem; }
  table { font-size: 0.875rem; }
  td:first-child code { white-space: normal; }
  td:not(:first-child) code { overflow-wrap: anywhere; }
}
`;
