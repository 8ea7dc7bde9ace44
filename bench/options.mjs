// @ts-check
import { parseArgs } from 'node:util';
import { servers } from './servers.mjs';
import { questions, shapes } from './workloads/index.mjs';

const HELP = `npm run bench -- [options]

  --rounds 5            rounds, of which the median counts
  --seconds 2           length of each window
  --only W1,W4          questions: ${questions.map(({ key }) => key).join(', ')}
  --shapes plain,relay  as whom to ask them: ${shapes.join(', ')}
  --servers ours,yoga   servers: ${servers.map(({ key }) => key).join(', ')}
  --callers 1           tokens among the 16 connections; without it each has its own
  --latency 20          milliseconds that the REST service takes for each answer
  --json out.json       writes the measurements to a file
  --start               measures instead how long servers take to be ready, and to answer a hundred times
  --light               measures instead what a request allocates and does, whatever the machine; beside it the last release
  --growth              measures how cost grows with rows, connections and documents instead
  --chart growth.svg    with --growth, draws it
`;

/** Reads the command line; whatever is wrong with it ends here, in a sentence. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      only: { type: 'string' },
      shapes: { type: 'string' },
      servers: { type: 'string' },
      callers: { type: 'string', default: '16' },
      latency: { type: 'string', default: '0' },
      json: { type: 'string' },
      start: { type: 'boolean', default: false },
      light: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      chart: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  return {
    ...values,
    rounds: positive('--rounds', values.rounds),
    seconds: positive('--seconds', values.seconds),
    callers: positive('--callers', values.callers),
    latency: Number(values.latency),
    only: choose('--only', questions, values.only),
    shapes: choose('--shapes', shapes.map(named), values.shapes).map(({ key }) => key),
    servers: choose('--servers', servers, values.servers ?? defaultServers(values)),
  };
}

/**
 * How cost grows is a question about two servers; the others can be named.
 * @param {{ light: boolean, growth: boolean }} measured
 */
function defaultServers({ light, growth }) {
  if (light) return 'ours';
  return growth ? 'ours,mercurius' : undefined;
}

/**
 * @param {string} option
 * @param {string} text
 */
function positive(option, text) {
  const value = Number(text);
  if (value > 0) return value;
  throw new TypeError(`${option} takes a number above 0, not ${text}.`);
}

/**
 * @template {string} T
 * @param {T} key
 */
function named(key) {
  return { key };
}

/**
 * @template {{ key: string }} T
 * @param {string} option
 * @param {readonly T[]} all
 * @param {string | undefined} keys
 */
function choose(option, all, keys) {
  if (keys === undefined) return all;
  return keys.split(',').map((key) => {
    const found = all.find((one) => one.key === key);
    if (found) return found;
    throw new TypeError(`${option} takes ${all.map((one) => one.key).join(', ')}, not ${key}.`);
  });
}
