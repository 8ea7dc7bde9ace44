// @ts-check
import { Client } from 'undici';

/**
 * The load, in a process of its own: as many connections as asked for, each with one request under way.
 * @typedef {object} Job
 * @property {string} origin
 * @property {string} method
 * @property {string} path
 * @property {string} body
 * @property {Record<string, string>} headers
 * @property {number} connections
 * @property {number} callers How many tokens they take turns with.
 * @property {number} seconds
 * @property {number} documents How many distinct documents take turns.
 * @property {number} atLeast Requests to make even where they take longer than that.
 */

/**
 * @typedef {object} Outcome
 * @property {number} requests
 * @property {number} bytes Of one answer, on average.
 * @property {string} lastAnswer
 * @property {string | null} failure
 */

/**
 * @param {Job} job
 * @returns {Promise<Outcome>}
 */
async function run(job) {
  const bodies = bodiesOf(job);
  const clients = Array.from({ length: job.connections }, () => new Client(job.origin));
  let sent = 0;
  let answered = 0;
  let bytes = 0;
  /** @type {Buffer} */
  let lastAnswer = Buffer.alloc(0);
  /** @type {string | null} */
  let failure = null;

  const end = performance.now() + job.seconds * 1_000;
  const goesOn = () => failure === null && (performance.now() < end || sent < job.atLeast);

  await Promise.all(
    clients.map(async (client, index) => {
      // Equal calls of one caller may be shared: only with callers of their own does one see what each costs.
      const headers = {
        ...job.headers,
        authorization: `${job.headers.authorization}-${index % job.callers}`,
      };
      while (goesOn()) {
        const body = bodies[sent % bodies.length];
        sent += 1;
        try {
          lastAnswer = await exchange(client, { ...job, headers }, body);
          answered += 1;
          bytes += lastAnswer.length;
        } catch (error) {
          failure = String(error);
        }
      }
    }),
  );
  await Promise.all(clients.map((client) => client.destroy()));
  return {
    requests: answered,
    bytes: bytes / answered,
    lastAnswer: lastAnswer.toString('utf8'),
    failure,
  };
}

/**
 * By `dispatch`, the cheapest way that undici has: the load must not be slower than what it measures.
 * @param {Client} client
 * @param {Job} job
 * @param {string | undefined} body
 * @returns {Promise<Buffer>}
 */
function exchange(client, { method, path, headers }, body) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    const chunks = [];
    let status = 0;
    client.dispatch(
      { method, path, headers, body: body || null },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          const answer = Buffer.concat(chunks);
          if (status === 200) resolve(answer);
          else reject(new Error(`status ${status}: ${answer.subarray(0, 500)}`));
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}

/**
 * Another operation name makes another document, at no other cost.
 * @param {Job} job
 */
function bodiesOf({ body, documents }) {
  if (documents === 1) return [body];
  return Array.from({ length: documents }, (_, index) => body.replace('query Bench', `query Bench${index}`));
}

process.on('message', async (/** @type {Job} */ job) => process.send?.(await run(job)));
