// @ts-check
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoCredentials } from '../../dist/demo/applications.js';
import { post } from '../post.mjs';

const HEADERS = { authorization: `Bearer ${demoCredentials.tokens.companyA}` };

/** @typedef {{ query: string, isRight: (data: any) => boolean, id?: string }} Operation */

/** @type {(number: number) => Operation} */
function read(number) {
  const first = 1 + (number % 50);
  return {
    query: `{ debtors(administrationId: "1001", first: ${first}) { nodes { internalId name } } }`,
    isRight: ({ debtors }) => debtors.nodes.length === first && debtors.nodes[0].internalId === '300001',
  };
}

/** Its id is found again in the log of the REST service. @type {(number: number) => Operation} */
function write(number) {
  const id = `mutation-${number}`;
  return {
    id,
    query: `mutation { updateMessages(input: { administrationId: "1001", messages: [{ id: "${id}", read: true }] }) { count } }`,
    isRight: ({ updateMessages }) => updateMessages.count === 0,
  };
}

/**
 * Callers with one kept connection each, which read three times and write once, again and again.
 * @param {{ url: string, count: number }} options
 */
export function startCallers({ url, count }) {
  /** Counts results, with the ids of successful mutations, and the reasons of failures. */
  const tally = {
    answered: 0,
    wrong: /** @type {string[]} */ ([]),
    lost: /** @type {string[]} */ ([]),
    written: /** @type {string[]} */ ([]),
  };
  /** @type {Set<number>} */
  const answered = new Set();
  let asked = 0;
  let isOver = false;

  /** @param {number} caller */
  async function run(caller) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      asked += 1;
      const operation = asked % 4 === 0 ? write(asked) : read(asked);
      const body = JSON.stringify({ query: operation.query });
      const { status, text, failed } = await post(url, body, { agent, headers: HEADERS });
      if (failed !== undefined) tally.lost.push(failed);
      else if (status === 200 && isRight(operation, text)) {
        tally.answered += 1;
        answered.add(caller);
        if (operation.id !== undefined) tally.written.push(operation.id);
      } else tally.wrong.push(`${status} ${text.slice(0, 200)}`);
    }
    agent.destroy();
  }

  const callers = Array.from({ length: count }, (_, caller) => run(caller));
  return {
    /** Waits until each caller has had a response. */
    async underWay() {
      while (answered.size < count) await sleep(5);
    },
    async end() {
      isOver = true;
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
