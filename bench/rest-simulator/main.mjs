// @ts-check
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { listen } from '../listen.mjs';
import { pageOf } from './pages.mjs';

/**
 * The REST service of the bench. It costs nearly nothing, so that what is measured is the gateway: an answer
 * is made once for each URL, and is bytes from then on.
 */
const { values } = parseArgs({ options: { latency: { type: 'string', default: '0' } } });
const latencyMs = Number(values.latency);

/** Enough for every workload, and a bound for whoever asks for ever other pages. */
const MAX_ANSWERS = 2_000;

/** @type {Map<string, Buffer>} */
const answers = new Map();
let calls = 0;

/** @param {string} url */
function answerOf(url) {
  const known = answers.get(url);
  if (known) return known;
  const page = pageOf(url);
  if (!page) return undefined;
  if (answers.size >= MAX_ANSWERS) answers.clear();
  const answer = Buffer.from(JSON.stringify(page));
  answers.set(url, answer);
  return answer;
}

const server = createServer((request, response) => {
  const url = request.url ?? '/';
  if (url === '/calls') return send(response, 200, Buffer.from(JSON.stringify({ calls })));
  calls += 1;
  // Without this check a gateway that forgets the caller's credential would look fine, and faster.
  if (!request.headers.authorization?.startsWith('Bearer '))
    return send(response, 401, refusal('unauthorized'));
  const answer = answerOf(url);
  if (!answer) return send(response, 404, refusal('not_found'));
  if (latencyMs > 0) return void setTimeout(send, latencyMs, response, 200, answer);
  return send(response, 200, answer);
});

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {Buffer} body
 */
function send(response, status, body) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
}

/** @param {string} code */
function refusal(code) {
  return Buffer.from(JSON.stringify({ code, message: code }));
}

await listen(server);
