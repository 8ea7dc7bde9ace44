// @ts-check
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Asks /health of a gateway again and again, as an orchestrator does, in a thread of its own, so that the test
 * does not delay it. Responds to each message with the time of the slowest response since the last one, in milliseconds,
 * and with the statuses other than 200. Time counts only while the main thread of the gateway has a processor: a busy
 * machine makes it slower, not heavier.
 */
const { port, pid, pauseMs } = workerData;
const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.3' });
let slowestMs = 0;
/** @type {unknown[]} */
let failures = [];

/** @type {Promise<unknown>} */
let asking = Promise.resolve();

parentPort?.on('message', async () => {
  await asking;
  parentPort?.postMessage({ slowestMs, failures });
  slowestMs = 0;
  failures = [];
});

while (true) {
  asking = measure();
  await asking;
  await sleep(pauseMs);
}

async function measure() {
  const [start, processorStart] = [performance.now(), processorMs()];
  const status = await ask();
  if (status !== 200) failures.push(status);
  slowestMs = Math.max(slowestMs, Math.min(performance.now() - start, processorMs() - processorStart));
}

/** @returns {Promise<unknown>} */
function ask() {
  return new Promise((resolve) => {
    get({ port, path: '/health', agent }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode));
    }).once('error', resolve);
  });
}

/** Where nobody knows it, all time counts. */
function processorMs() {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
