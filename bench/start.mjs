// @ts-check
import { answerOf } from './answers.mjs';
import { median } from './compare.mjs';
import { start } from './servers.mjs';

/** @typedef {import('./servers.mjs').Server} Server */
/** @typedef {import('./servers.mjs').Surroundings} Surroundings */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */

const ANSWERS = 2_000;
/** The number of starts whose median counts: a single one may be slow by chance. */
const NEIGHBOURS = 15;

/**
 * How long servers take from their start to the first answer, and how many requests, one after another, until an
 * answer takes at most twice its settled time: what a deployment costs its callers. By turns.
 * @type {(servers: readonly Server[], workload: Workload, surroundings: Surroundings, rounds: number) => Promise<object[]>}
 */
export async function measureStarts(servers, workload, surroundings, rounds) {
  const starts = new Map(servers.map((server) => [server, /** @type {number[][]} */ ([])]));
  for (let round = 0; round < rounds; round += 1) {
    for (const server of servers) {
      const running = await start(server, surroundings);
      await answerOf(running, workload, 0);
      const firstMs = performance.now() - running.started;
      /** @type {number[]} */
      const times = [];
      for (let answer = 1; answer <= ANSWERS; answer += 1) {
        const asked = performance.now();
        await answerOf(running, workload, answer);
        times.push(performance.now() - asked);
      }
      await running.stop();
      const settledMs = median(times.slice(-ANSWERS / 4));
      const around = times.map((_, index) => median(times.slice(index, index + NEIGHBOURS)));
      starts.get(server)?.push([firstMs, 1 + around.findIndex((time) => time <= 2 * settledMs), settledMs]);
    }
  }
  return Array.from(starts, ([{ title }, measured]) => {
    const [firstMs = 0, requests = 0, settledMs = 0] = [0, 1, 2].map((column) =>
      median(measured.map((one) => one[column] ?? Number.NaN)),
    );
    return {
      server: title,
      'first answer, ms': Math.round(firstMs),
      'requests until twice the settled time': Math.round(requests),
      'settled, ms': Math.round(settledMs * 100) / 100,
    };
  });
}
