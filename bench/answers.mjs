// @ts-check
import { HEADERS } from './servers.mjs';

/** @typedef {import('./servers.mjs').RunningServer} RunningServer */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */

/**
 * Puts every set of variables to every server, and stops where two answers differ by a byte. Gives the answers.
 * @type {(servers: readonly RunningServer[], workload: Workload) => Promise<string[]>}
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

/** @type {(server: RunningServer, workload: Workload, text: string, expected: string | undefined) => void} */
export function checkAnswer(server, workload, text, expected) {
  const actual = dataOf(server, workload, text);
  if (actual === expected) return;
  throw new Error(
    `${server.title} answers ${workload.key} differently from the others.\n` +
      `  expected ${expected?.slice(0, 600)}\n  but got  ${actual.slice(0, 600)}`,
  );
}

/** Ignores all members except the data. @type {(server: RunningServer, workload: Workload, text: string) => string} */
function dataOf({ title }, { key }, text) {
  const { data, errors } = JSON.parse(text);
  if (errors || Object.values(data).includes(null))
    throw new Error(`${title} has no answer to ${key}: ${text.slice(0, 500)}`);
  return JSON.stringify(data);
}

/** @type {(server: RunningServer, workload: Workload, set: number) => Promise<string>} */
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
