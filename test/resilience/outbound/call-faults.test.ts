import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { CallErrorType } from '../../../src/rest/errors.ts';
import { certificateFor, trust } from '../../support/certificate.ts';
import { freshGateway } from '../../support/gateway.ts';
import { listen } from '../../support/resources.ts';
import { startDemoService } from '../../support/rest-service.mjs';
import { createTestTelemetry } from '../../support/telemetry.ts';

const LIST = '{ debtors(administrationId: "1001", first: 1) { nodes { id } } }';
const ENDPOINT = 'GET /v1/debtors';
const MESSAGE = 'REST call failed';
/** Not asked for anything here: each gateway has a service of its own. */
const over = await startDemoService();
afterAll(() => over.close());

interface Outcome {
  readonly service: string;
  readonly code: unknown;
  readonly text: string;
  /** The errors that operators see: by attempt in the log, and by label in the metrics. */
  readonly logged: readonly unknown[];
  readonly counted: ReadonlyMap<string, number>;
}

/** Sends one query over a REST service at this address, and returns what caller and operator see. */
async function observe(url: string, options: { readonly restTimeoutMs?: number } = {}): Promise<Outcome> {
  const restUrl = new URL(url);
  const { telemetry, options: observed, lines, exposition } = createTestTelemetry({ restUrl });
  onTestFinished(() => telemetry.stop());
  const gateway = await freshGateway({
    ...observed,
    over,
    gateway: { ...observed.gateway, restUrl, restTimeoutMs: 10_000, ...options },
  });
  const { errors = [], text } = await gateway.query(LIST);
  const samples = exposition().matchAll(
    /^http_client_request_duration_seconds_count\{.*url_template="\/v1\/debtors".*error_type="(\w*)"\} (\d+)$/gm,
  );
  return {
    service: url,
    code: errors[0]?.extensions.code,
    text,
    logged: lines()
      .filter(({ message }) => message === MESSAGE)
      .map(({ time, level, message, ...details }) => details),
    counted: new Map(Array.from(samples, ([, fault = '', count]) => [fault, Number(count)])),
  };
}

function serviceThat(answer: (socket: Socket) => void): Promise<number> {
  return listen(createServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket))));
}

const head = (status: string, length: number, type = 'application/json') =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
const response = (status: string, body: string, type?: string) => head(status, body.length, type) + body;

const sends = (text: string) => (socket: Socket) => void socket.end(text);
const json = (status: string, body: string) => sends(response(status, body));
const reset = (socket: Socket) => void socket.resetAndDestroy();

const [UNAVAILABLE, INVALID] = ['UPSTREAM_UNAVAILABLE', 'UPSTREAM_INVALID_RESPONSE'];
const HALF = `${head('200 OK', 100)}{"data":[`;

const unusable = (body: string) => json('200 OK', body);

/** The status is that of a response; without one the call is tried three times. */
const CASES: readonly [
  CallErrorType,
  what: string,
  (socket: Socket) => void,
  code: string,
  status?: number,
][] = [
  ['connection_reset', 'resets the connection', reset, UNAVAILABLE],
  ['closed_early', 'closes the connection', sends(''), UNAVAILABLE],
  ['invalid_http', 'sends no HTTP', sends('SSH-2.0\r\n'), UNAVAILABLE],
  ['closed_early', 'closes the connection within the body', sends(HALF), INVALID, 200],
  ['invalid_body', 'sends HTML', sends(response('200 OK', '<p>', 'text/html')), INVALID, 200],
  ['too_large', 'sends more than 8 MB', sends(head('200 OK', 9e6) + ' '.repeat(8_000_001)), INVALID, 200],
  ['unexpected_body', 'has no rows', unusable('{"items":[]}'), INVALID, 200],
  ['unexpected_body', 'has a row without an id', unusable('{"data":[{"id":7}]}'), INVALID, 200],
  ['unknown_path', 'has no list', json('404 No', '{}'), 'NOT_FOUND', 404],
  ['status_3xx', 'redirects', json('301 Moved', ''), INVALID, 301],
  ['status_5xx', 'fails', json('500 Failed', ''), UNAVAILABLE, 500],
];

/** The words of operators are not for callers. */
function expectNothingOf(fault: string, text: string): void {
  expect(text).not.toContain(fault);
  expect(text).not.toMatch(/ECONN|CERT|127\.0\.0\.1|certificate/);
}

describe('the log and the metrics of a failed REST call have the reason', () => {
  test.each(CASES)('%s, if the service %s', async (fault, _what, answer, code, status) => {
    const outcome = await observe(`http://127.0.0.1:${await serviceThat(answer)}`);
    expect(outcome.code).toBe(code);
    expectNothingOf(fault, outcome.text);
    expect(outcome.counted).toEqual(new Map([[fault, status === undefined ? 3 : 1]]));
    // Those that fail alike have one line.
    const { service } = outcome;
    const line = { endpoint: ENDPOINT, errorType: fault, service };
    expect(outcome.logged).toEqual([status === undefined ? line : { ...line, status }]);
  });

  test.each<[CallErrorType, string, () => Promise<string>]>([
    ['connection_refused', 'no service', async () => 'http://127.0.0.1:9'],
    // Longer than a DNS label may be, so that the lookup fails without a name server.
    ['unknown_host', 'no such name', async () => `http://${'a'.repeat(64)}`],
    ['tls_protocol', 'no TLS', async () => `https://127.0.0.1:${await serviceThat(json('200 OK', '{}'))}`],
  ])('%s: %s', async (fault, _what, start) => {
    const outcome = await observe(await start());
    expect(outcome.code).toBe(UNAVAILABLE);
    expectNothingOf(fault, outcome.text);
    expect(outcome.counted).toEqual(new Map([[fault, 3]]));
    expect(outcome.logged).toMatchObject([{ errorType: fault }]);
  });

  test('that says how far the call to a hanging service came', async () => {
    const cases: readonly [CallErrorType, string, (socket: Socket) => void][] = [
      ['connect_timeout', 'https', () => {}],
      ['answer_timeout', 'http', () => {}],
      ['body_timeout', 'http', (socket) => socket.write(`${head('200 OK', 100)}{"data":[`)],
    ];
    // Long enough for a busy machine to come as far as that, so all wait at the same time.
    const outcome = await Promise.all(
      cases.map(async ([, scheme, answer]) =>
        observe(`${scheme}://127.0.0.1:${await serviceThat(answer)}`, { restTimeoutMs: 1_500 }),
      ),
    );
    expect(outcome.map(({ code }) => code)).toEqual(cases.map(() => 'UPSTREAM_TIMEOUT'));
    expect(outcome.map(({ counted }) => counted)).toEqual(cases.map(([fault]) => new Map([[fault, 1]])));
    expect(outcome.map(({ logged }) => logged)).toMatchObject(
      cases.map(([errorType]) => [{ endpoint: ENDPOINT, errorType }]),
    );
  });

  test('only in the metrics for a rejection, which concerns the caller', async () => {
    const outcome = await observe(`http://127.0.0.1:${await serviceThat(json('401 No', '{}'))}`);
    expect(outcome.counted).toEqual(new Map([['status_4xx', 1]]));
    expect(outcome.logged).toEqual([]);
  });
});

const NAME = '127.0.0.1';
test.each<[CallErrorType, Parameters<typeof certificateFor>[0], TlsOptions, boolean]>([
  ['tls_expired', { name: NAME, until: -1 }, {}, true],
  ['tls_not_yet_valid', { name: NAME, from: 1 }, {}, true],
  ['tls_wrong_host', { name: 'rest.example' }, {}, true],
  ['tls_self_signed', { name: NAME }, {}, false],
  ['tls_unknown_issuer', { name: NAME, isSignedByOther: true }, {}, false],
  ['tls_protocol', { name: NAME }, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }, true],
])('a TLS call fails with %s for the certificate %j', async (fault, options, tlsOptions, isTrusted) => {
  const certificate = certificateFor(options);
  const credentials: unknown[] = [];
  const server = createTlsServer({ ...certificate, ...tlsOptions }, (socket) =>
    socket.on('error', () => {}).on('data', (chunk) => credentials.push(chunk.toString())),
  );
  const port = await listen(server);
  if (isTrusted) trust(certificate.cert);
  const outcome = await observe(`https://127.0.0.1:${port}`);
  expect(outcome.code).toBe(UNAVAILABLE);
  expectNothingOf(fault, outcome.text);
  // Another attempt would find the same certificate.
  expect(outcome.counted).toEqual(new Map([[fault, fault === 'tls_protocol' ? 3 : 1]]));
  expect(outcome.logged).toMatchObject([{ errorType: fault }]);
  expect(credentials).toEqual([]);
});
