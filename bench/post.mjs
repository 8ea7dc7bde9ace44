// @ts-check
import { request } from 'node:http';

/** Several times what an operation may take: whoever waits longer has lost the answer. */
const PATIENCE_MS = 10_000;

/** @typedef {{ agent: import('node:http').Agent, headers: Record<string, string>, signal?: AbortSignal }} Options */
/** @typedef {{ status: number, text: string, failed?: string, reused?: boolean }} Answer A response or a failure. */

/** @type {(url: string, body: string, options: Options) => Promise<Answer>} */
export function post(url, body, { agent, headers, ...options }) {
  return new Promise((resolve) => {
    const all = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
    const outgoing = request(url, { method: 'POST', agent, headers: all, ...options }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text })).on('error', fail);
    });
    const fail = (/** @type {NodeJS.ErrnoException} */ { code, message }) =>
      resolve({ status: 0, text: '', failed: code ?? message, reused: outgoing.reusedSocket });
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', fail).end(body);
  });
}
