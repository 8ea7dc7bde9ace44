// @ts-check
import { createServer } from 'node:http';
import { listen } from '../listen.mjs';
import { pageOf } from './pages.mjs';

/** @type {Map<string, Buffer>} */
const answers = new Map();
let calls = 0;

/** @param {string} url */
function answerOf(url) {
  const known = answers.get(url);
  if (known) return known;
  const page = pageOf(url);
  if (!page) return undefined;
  const answer = Buffer.from(JSON.stringify(page));
  answers.set(url, answer);
  return answer;
}

/**
 * The REST service of the bench. It costs nearly nothing, so that what is measured is the gateway: an answer is made
 * once for each URL, and is bytes from then on.
 */
const server = createServer((request, response) => {
  const url = request.url ?? '/';
  if (url === '/calls') return send(response, 200, Buffer.from(JSON.stringify({ calls })));
  calls += 1;
  // This check finds a gateway that forgets the caller's credential, which would look fine, and faster.
  if (!request.headers.authorization?.startsWith('Bearer ')) return send(response, 401, Buffer.from('{}'));
  const answer = answerOf(url);
  return answer ? send(response, 200, answer) : send(response, 404, Buffer.from('{}'));
});

/** @type {(response: import('node:http').ServerResponse, status: number, body: Buffer) => void} */
function send(response, status, body) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
}

await listen(server);
