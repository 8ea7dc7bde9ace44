// The document that costs most within the limits: `node bench/worst-document.mjs [--seconds N] [--seed N]`.
// Prints, for each family of shapes, the most milliseconds that one of its documents took to be parsed, measured,
// validated, planned and estimated, or refused: the least of several runs, in a warm process. Beside it stands what
// it took to run without a credential, which compiles it.
import { parseArgs } from 'node:util';
import { createRandom } from './soak-faults.mjs';
import { createReader } from './worst-document/read.mjs';
import { families } from './worst-document/shapes.mjs';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const seconds = Number(values.seconds);
const random = createRandom(Number(values.seed));
const reader = await createReader();

/** The least of some runs: the first compiles what it needs, and a busy neighbour slows any of them. */
async function measure(text, runs) {
  let best = await reader.read(text);
  for (let run = 1; run < runs; run += 1) {
    const again = await reader.read(text);
    if (again.milliseconds < best.milliseconds) best = again;
  }
  return best;
}

/** Small sizes as often as large ones, since the largest of most shapes are beyond a limit. */
const sizeIn = ([least, most]) =>
  Math.round((least + 1) * ((most + 1) / (least + 1)) ** (random.below(1001) / 1000)) - 1;

/** Another size for one or two of the parameters: anywhere, or close by. */
function changed(parameters, ranges) {
  const next = [...parameters];
  for (let times = 1 + random.below(2); times > 0; times -= 1) {
    const index = random.below(ranges.length);
    const [least, most] = ranges[index];
    const near = Math.round(next[index] * (0.8 + random.below(50) / 100)) + random.below(3) - 1;
    const value = random.chance(0.3) ? sizeIn(ranges[index]) : near;
    next[index] = Math.min(most, Math.max(least, value));
  }
  return next;
}

/** Climbs from the worst so far, or starts anew. */
async function search({ ranges, make }, milliseconds) {
  const end = performance.now() + milliseconds;
  let worst;
  do {
    const parameters = worst && random.chance(0.75) ? changed(worst.parameters, ranges) : ranges.map(sizeIn);
    const text = make(...parameters);
    const found = { ...(await measure(text, 3)), parameters, text };
    if (worst === undefined || found.milliseconds > worst.milliseconds) worst = found;
  } while (performance.now() < end);
  return worst;
}

const show = ({ milliseconds, outcome, text, parameters, phases }) =>
  `${milliseconds.toFixed(1).padStart(6)} ms  ${String(text.length).padStart(6)} characters  ${outcome}  ` +
  `(${parameters.join(', ')})  ${Object.entries(phases)
    .map(([phase, took]) => `${phase} ${took.toFixed(1)}`)
    .join(', ')}`;

const names = Object.keys(families);
for (const { make, ranges } of Object.values(families))
  await measure(make(...ranges.map(([least]) => least)), 5);
const found = [];
for (const name of names)
  found.push({ name, ...(await search(families[name], (1000 * seconds) / names.length)) });
// Once more, later and more often: the worst of many measurements is mostly the noise of them.
for (const [index, worst] of found.entries()) {
  found[index] = { ...worst, ...(await measure(worst.text, 30)) };
  console.log(`${worst.name.padEnd(34)} ${show(found[index])}`);
}
const overall = found.reduce((worst, other) => (other.milliseconds > worst.milliseconds ? other : worst));
console.log(`\nThe worst: ${overall.name}, ${show(overall)}\n${overall.text.slice(0, 1000)}`);
await reader.close();
