// @ts-check
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoCredentials } from '../../dist/demo/applications.js';

const HEADERS = {
  'content-type': 'application/json',
  authorization: `Bearer ${demoCredentials.tokens.companyA}`,
};

/**
 * @typedef {object} Tally
 * @property {number} answered requests with their whole right answer
 * @property {number} refused new connections that were refused: nothing was sent, so it is safe to try again
 * @property {string[]} wrong answers other than the right one
 * @property {string[]} lost requests without an answer
 * @property {string[]} written ids of the mutations that were answered
 */

/** @typedef {{ body: string, isRight: (data: any) => boolean, id?: string }} Operation */

/** @type {(number: number) => Operation} */
export function query(number) {
  const first = 1 + (number % 50);
  return {
    body: JSON.stringify({
      query: `{ debtors(administrationId: "1001", first: ${first}) { nodes { internalId name } } }`,
    }),
    isRight: ({ debtors }) => debtors.nodes.length === first && debtors.nodes[0].internalId === '300001',
  };
}

/** Its id is found again in the log of the REST service. @type {(number: number) => Operation} */
export function mutation(number) {
  const id = `mutation-${number}`;
  return {
    id,
    body: JSON.stringify({
      query: `mutation { updateMessages(input: { administrationId: "1001", messages: [{ id: "${id}", read: true }] }) { count } }`,
    }),
    isRight: ({ updateMessages }) => updateMessages.count === 0,
  };
}

/**
 * Callers with one kept connection each, which ask again and again.
 * @param {object} options
 * @param {string} options.url
 * @param {number} options.count
 * @param {(number: number) => Operation} options.operation
 * @param {() => number} [options.pauseMs] between an answer and the next request
 * @param {boolean} [options.endWhenRefused] whether a caller ends when it cannot connect
 */
export function startCallers({ url, count, operation, pauseMs = () => 0, endWhenRefused = false }) {
  /** @type {Tally} */
  const tally = { answered: 0, refused: 0, wrong: [], lost: [], written: [] };
  let asked = 0;
  let isOver = false;
  /** @type {Set<number>} */
  const answered = new Set();

  /** @param {number} caller */
  async function run(caller) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      asked += 1;
      const one = operation(asked);
      const { status, text, failed } = await post(url, agent, one.body);
      if (failed === 'ECONNREFUSED') tally.refused += 1;
      else if (failed !== undefined) tally.lost.push(failed);
      else if (status === 200 && isRight(one, text)) {
        tally.answered += 1;
        answered.add(caller);
        if (one.id !== undefined) tally.written.push(one.id);
      } else tally.wrong.push(`${status} ${text.slice(0, 200)}`);
      if (failed !== undefined && endWhenRefused) break;
      const pause = pauseMs();
      if (pause > 0) await sleep(pause);
    }
    agent.destroy();
  }

  const callers = Array.from({ length: count }, (_, caller) => run(caller));
  return {
    tally,
    /** Until each caller has had an answer. */
    async underWay() {
      while (answered.size < count) await sleep(5);
    },
    async end() {
      isOver = true;
      await Promise.all(callers);
      return tally;
    },
    /** Until each could not connect any more. */
    async refused() {
      await Promise.all(callers);
      return tally;
    },
  };
}

/**
 * @param {Operation} operation
 * @param {string} text
 */
function isRight(operation, text) {
  const { data, errors } = JSON.parse(text);
  return errors === undefined && operation.isRight(data);
}

/**
 * @param {string} url
 * @param {Agent} agent
 * @param {string} body
 * @returns {Promise<{ status: number, text: string, failed?: string }>}
 */
function post(url, agent, body) {
  return new Promise((resolve) => {
    const fail = (/** @type {NodeJS.ErrnoException} */ error) =>
      resolve({ status: 0, text: '', failed: error.code ?? error.message });
    const headers = { ...HEADERS, 'content-length': Buffer.byteLength(body) };
    const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text })).on('error', fail);
    });
    outgoing.on('error', fail).end(body);
  });
}
