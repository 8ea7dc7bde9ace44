// @ts-check
import { Client } from 'undici';

/**
 * The load, in a process of its own: as many connections as asked for, each with one request under way. There are more
 * bodies, and none is under way twice, so that no request shares the REST call of another. It makes `atLeast` requests
 * even where they take longer than `seconds`.
 * @typedef {{ origin: string, bodies: readonly string[], headers: Record<string, string>, connections: number, seconds: number, atLeast: number }} Job
 */
/** @typedef {{ requests: number, p99: number, last: { set: number, text: string }, failure: string | null }} Outcome */

/** @type {(job: Job) => Promise<Outcome>} */
async function run({ origin, bodies, headers, connections, seconds, atLeast }) {
  const clients = Array.from({ length: connections }, () => new Client(origin));
  /** @type {number[]} */
  const times = [];
  const waiting = [...bodies.keys()];
  let last = { set: 0, answer: /** @type {Buffer} */ (Buffer.alloc(0)) };
  /** @type {string | null} */
  let failure = null;
  const end = performance.now() + seconds * 1_000;
  const goesOn = () => failure === null && (performance.now() < end || times.length < atLeast);

  await Promise.all(
    clients.map(async (client) => {
      while (goesOn()) {
        const set = waiting.shift() ?? 0;
        const start = performance.now();
        try {
          last = { set, answer: await exchange(client, headers, bodies[set] ?? '') };
          times.push(performance.now() - start);
        } catch (error) {
          failure = String(error);
        }
        waiting.push(set);
      }
    }),
  );
  await Promise.all(clients.map((client) => client.destroy()));
  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return { requests: times.length, p99, last: { set: last.set, text: last.answer.toString() }, failure };
}

/**
 * Uses `dispatch`, the cheapest way that undici has: the load must not be slower than the server.
 * @type {(client: Client, headers: Record<string, string>, body: string) => Promise<Buffer>}
 */
function exchange(client, headers, body) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    const chunks = [];
    let status = 0;
    const request = /** @type {const} */ ({ method: 'POST', path: '/graphql', headers, body });
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        const answer = Buffer.concat(chunks);
        if (status === 200) resolve(answer);
        else reject(new Error(`status ${status}: ${answer.subarray(0, 500)}`));
      },
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

process.on('message', async (/** @type {Job} */ job) => process.send?.(await run(job)));
