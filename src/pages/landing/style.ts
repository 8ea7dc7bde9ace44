import { PALETTE } from '../markup.ts';

export const LANDING_STYLE = `${PALETTE}* { box-sizing: border-box; margin: 0; }
body { background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: clamp(2rem, 9vh, 6rem) 1.5rem 4rem; }
header { display: flex; align-items: center; gap: 0.7rem; }
header svg { width: 2.5rem; height: 2.5rem; flex: none; margin-left: -0.35rem; }
header span { color: var(--quiet); font-variant-numeric: tabular-nums; }
h1 { font-size: clamp(1.25rem, 5vw, 1.6rem); font-weight: 650; letter-spacing: -0.015em; line-height: 1.2; }
h2 { font-size: 1rem; font-weight: 600; }
p { color: var(--quiet); }
.lead { margin-top: 1.25rem; font-size: 1.1rem; }
.service { position: relative; margin: 2.25rem 0 1.75rem; padding-left: 1.5rem; }
.service::before {
  content: "";
  position: absolute;
  left: 0;
  top: 0.48rem;
  width: 0.65rem;
  height: 0.65rem;
  border-radius: 50%;
  background: var(--tone);
}
.good { --tone: var(--good); }
.poor { --tone: var(--poor); }
.bad { --tone: var(--bad); }
a { color: var(--accent); text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.action {
  display: inline-block;
  padding: 0.5rem 1.1rem;
  border-radius: 0.5rem;
  background: #b8047b;
  color: #ffffff;
  font-weight: 600;
}
.action:hover { opacity: 0.88; }
.action.second { margin-left: 0.4rem; box-shadow: inset 0 0 0 1px var(--line); background: var(--surface); color: var(--accent); }
.absence { margin-bottom: 1rem; }
.absence + .second { margin-left: 0; }
.shell { display: flex; justify-content: space-between; align-items: baseline; }
.shell button { border: 0; background: none; color: var(--accent); font: inherit; font-size: 0.875rem; cursor: pointer; }
.shell button:hover { text-decoration: underline; }
.live { margin-top: 2.25rem; }
dl {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr));
  margin-top: 0.75rem;
  overflow: hidden;
}
dl div { padding: 0.8rem 1.1rem; box-shadow: -1px -1px var(--line); }
dl div:last-child { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0 1rem; padding-block: 0.6rem; }
dt { color: var(--quiet); font-size: 0.875rem; }
dd { color: var(--quiet); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
dd b { color: var(--text); font-size: 1.4rem; font-weight: 600; line-height: 1.4; }
dl div:last-child :is(dd, b) { color: var(--quiet); font-size: 0.875rem; font-weight: 400; }
dl, ul, pre { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); }
ul { list-style: none; margin: 2rem 0 2.25rem; padding: 0.4rem 1.1rem; }
li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; padding: 0.6rem 0; }
li + li { border-top: 1px solid var(--line); }
li a { flex: 0 0 12rem; }
li a:hover { text-decoration: underline; }
li span { color: var(--quiet); }
code, pre { font: 0.875rem/1.7 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { margin-top: 0.75rem; padding: 1rem 1.1rem; overflow-x: auto; }
`;
