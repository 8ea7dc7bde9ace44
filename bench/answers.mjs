// @ts-check
import { HEADERS } from './servers.mjs';

/** @typedef {import('./servers.mjs').RunningServer} RunningServer */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */

/**
 * Puts every set of variables to every server, and stops where two answers differ by a byte. Gives the answers.
 * @param {readonly RunningServer[]} servers
 * @param {Workload} workload
 */
export async function agreeOn(servers, workload) {
  /** @type {string[]} */
  const expected = [];
  for (const set of workload.bodies.keys()) {
    for (const server of servers) {
      const text = await answerOf(server, workload, set);
      expected[set] ??= dataOf(server, workload, text);
      checkAnswer(server, workload, text, expected[set]);
    }
  }
  if (new Set(expected).size < workload.bodies.length)
    throw new Error(`${workload.key}: two sets of variables have the same answer.`);
  return expected;
}

/**
 * @param {RunningServer} server
 * @param {Workload} workload
 * @param {string} text
 * @param {string | undefined} expected
 */
export function checkAnswer(server, workload, text, expected) {
  const actual = dataOf(server, workload, text);
  if (actual === expected) return;
  throw new Error(
    `${server.title} answers ${workload.key} differently from the others.\n` +
      `  expected ${expected?.slice(0, 600)}\n  but got  ${actual.slice(0, 600)}`,
  );
}

/**
 * Cursors are each server's own, as is what it says beside the data.
 * @param {RunningServer} server
 * @param {Workload} workload
 * @param {string} text
 */
function dataOf({ title }, { key }, text) {
  const { data, errors } = JSON.parse(text);
  if (errors || Object.values(data).includes(null))
    throw new Error(`${title} has no answer to ${key}: ${text.slice(0, 500)}`);
  return JSON.stringify(data, (name, value) => (/cursor$/i.test(name) ? typeof value : value));
}

/**
 * @param {RunningServer} server
 * @param {Workload} workload
 * @param {number} set
 */
export async function answerOf({ origin, title }, { key, bodies, headers }, set) {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: bodies[set % bodies.length] ?? null,
  });
  const text = await response.text();
  if (response.status === 200) return text;
  throw new Error(`${title} answers ${key} with status ${response.status}: ${text.slice(0, 500)}`);
}
