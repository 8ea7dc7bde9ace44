import type { Random } from '../../execution/random.ts';
import { BEARER } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';
import { times } from '../../support/times.ts';

const TYPENAME = '{"query":"{ __typename }"}';
const JSON_HEADERS = `Content-Type: application/json\r\nAuthorization: ${BEARER.authorization}\r\n`;

function chunked(body: string): string {
  return `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

function request(line: string, headers = '', body = '') {
  return (id: string) => `${line}\r\nHost: x\r\nX-Request-Id: ${id}\r\n${headers}\r\n${body}`;
}

function posted(headers = '', body = TYPENAME, version = '1.1') {
  return request(
    `POST /graphql HTTP/${version}`,
    `${JSON_HEADERS}${headers}Content-Length: ${body.length}\r\n`,
    body,
  );
}

/** Every kind of request that a server meets. */
export const KINDS: { readonly [kind: string]: (id: string) => string } = {
  'GET of a page': request('GET /health HTTP/1.1'),
  'HEAD of a page': request('HEAD /health HTTP/1.1'),
  'GET of nothing': request('GET /x HTTP/1.1'),
  'GET that expects 100': request('GET /x HTTP/1.1', 'Expect: 100-continue\r\n'),
  'GET that closes': request('GET /health HTTP/1.1', 'Connection: close\r\n'),
  'chunked POST of nothing': request('POST /x HTTP/1.1', 'Transfer-Encoding: chunked\r\n', chunked('abc')),
  'POST of nothing': request('POST /x HTTP/1.1', 'Content-Length: 3\r\n', 'abc'),
  operation: posted(),
  'slow operation': posted('', JSON.stringify({ query: DEBTORS })),
  'operation that closes': posted('Connection: close\r\n'),
  'operation of HTTP/1.0': posted('', TYPENAME, '1.0'),
  'kept operation of HTTP/1.0': posted('Connection: keep-alive\r\n', TYPENAME, '1.0'),
  'operation that expects 100': posted('Expect: 100-continue\r\n'),
  'chunked operation': request(
    'POST /graphql HTTP/1.1',
    `${JSON_HEADERS}Transfer-Encoding: chunked\r\n`,
    chunked(TYPENAME),
  ),
  'operation that is too large': request(
    'POST /graphql HTTP/1.1',
    `${JSON_HEADERS}Content-Length: 9000000\r\n`,
    '{"query":',
  ),
  'operation of another type': posted('Content-Encoding: gzip\r\n'),
  OPTIONS: request('OPTIONS /graphql HTTP/1.1'),
  DELETE: request('DELETE /graphql HTTP/1.1'),
  'upgrade to WebSocket': request(
    'GET /graphql HTTP/1.1',
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
  ),
  'upgrade of an operation': posted('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n'),
  'no HTTP': () => 'NO HTTP AT ALL\r\n\r\n',
  'broken header': () => 'GET /health HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n',
  'broken chunk': request('POST /graphql HTTP/1.1', `${JSON_HEADERS}Transfer-Encoding: chunked\r\n`, 'z\r\n'),
  'two lengths': request('POST /graphql HTTP/1.1', 'Content-Length: 1\r\nContent-Length: 2\r\n', 'a'),
};

const NAMES = Object.keys(KINDS);

export interface Pipeline {
  readonly kinds: readonly string[];
  /** What is sent, each part in a packet of its own. */
  readonly packets: readonly string[];
  /** How the client leaves before it has all answers, if it does. */
  readonly leaves: 'aborts' | 'closes its end' | undefined;
}

export function pipelineOf(random: Random): Pipeline {
  const kinds = times(1 + random.below(6), () => random.pick(NAMES));
  const bytes = kinds.map((kind, index) => KINDS[kind]?.(`r${index}`) ?? '').join('');
  // Often all at once, which is where Node parses several requests in one go.
  const cuts = random.chance(40) ? [] : times(1 + random.below(4), () => random.below(bytes.length));
  const places = [0, ...cuts.sort((one, other) => one - other), bytes.length];
  const packets = places.slice(1).map((end, index) => bytes.slice(places[index], end));
  const leaves = random.chance(15) ? 'aborts' : random.chance(10) ? 'closes its end' : undefined;
  return { kinds, packets: packets.filter((packet) => packet !== ''), leaves };
}
