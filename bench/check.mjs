// @ts-check
import { isDeepStrictEqual } from 'node:util';
import { countCalls } from './measure.mjs';
import { HEADERS } from './servers.mjs';

/** @typedef {import('./servers.mjs').RunningServer} RunningServer */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */

/**
 * Asks every server the same and stops where two answers differ. The first server that can answer sets
 * what is expected of the others.
 * @param {readonly RunningServer[]} servers
 * @param {Workload} workload
 */
export async function agreeOn(servers, workload) {
  const [first, ...others] = servers.filter((server) => server.ask(workload));
  if (!first) throw new Error(`No server can answer ${workload.key}.`);
  const expected = first.read(workload, await answerOf(first, workload));
  if (!isFull(expected)) throw new Error(`${first.title} answers ${workload.key} with nothing.`);
  for (const server of others) checkAnswer(server, workload, await answerOf(server, workload), expected);
  return expected;
}

/**
 * @param {RunningServer} server
 * @param {Workload} workload
 * @param {unknown} answer
 * @param {unknown} expected
 */
export function checkAnswer(server, workload, answer, expected) {
  const actual = server.read(workload, answer);
  if (actual === undefined || isDeepStrictEqual(withoutCursors(actual), withoutCursors(expected))) return;
  throw new Error(
    `${server.title} answers ${workload.key} differently from the others.\n` +
      `  expected ${excerpt(expected)}\n  but got  ${excerpt(actual)}`,
  );
}

/**
 * Cursors are each server's own.
 * @param {unknown} answer
 */
function withoutCursors(answer) {
  return JSON.parse(JSON.stringify(answer, (key, value) => (/cursor$/i.test(key) ? typeof value : value)));
}

/**
 * Whether a gateway answers the same question again without a REST call.
 * @param {RunningServer} server
 * @param {Workload} workload
 */
export async function hasCache(server, workload) {
  await answerOf(server, workload);
  const before = await countCalls(server.rest);
  await answerOf(server, workload);
  return (await countCalls(server.rest)) === before;
}

/**
 * @param {RunningServer} server
 * @param {Workload} workload
 */
export async function answerOf(server, workload) {
  const request = server.ask(workload);
  if (!request) throw new TypeError(`${server.title} cannot answer ${workload.key}.`);
  const { method, path, body } = request;
  const headers = { ...HEADERS, ...request.headers };
  const response = await fetch(server.origin + path, { method, headers, body: body || null });
  const text = await response.text();
  if (response.status === 200) return JSON.parse(text);
  throw new Error(
    `${server.title} answers ${workload.key} with status ${response.status}: ${text.slice(0, 500)}`,
  );
}

/**
 * Equal emptiness would pass every comparison.
 * @param {unknown} data
 * @returns {boolean}
 */
function isFull(data) {
  if (Array.isArray(data)) return data.length > 0 && isFull(data[0]);
  return typeof data === 'object' && data !== null && Object.keys(data).length > 0;
}

/** @param {unknown} data */
function excerpt(data) {
  return (JSON.stringify(data) ?? 'nothing').slice(0, 300);
}
