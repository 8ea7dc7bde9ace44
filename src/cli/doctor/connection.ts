import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { type CallFault, faultOfCode, faultOfError } from '../../rest/call-fault.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { isReadableByOthers } from '../gateway-request.ts';
import type { Report } from './report.ts';

const PORT_AND_SCHEME = 'Check the port and the scheme in REST_URL.';
const CLOSED = ['closes the connection without an answer', PORT_AND_SCHEME] as const;
const PRIVATE_AUTHORITY = 'Where it is signed by an authority of your own, name that in NODE_EXTRA_CA_CERTS.';
export const SLOW = 'Check whether the service is slow, or set REST_TIMEOUT_MS.';

/** What the host does, or its certificate; and what to do about it. */
const FAULTS: { readonly [fault in CallFault]?: readonly [what: string, advice: string] } = {
  unknown_host: ['is the name of no machine', 'Check the name in REST_URL.'],
  dns_failed: ['is a name that no name server answers for', 'Check the network and DNS of this machine.'],
  connection_refused: ['refuses the connection', 'Check the port in REST_URL, and that the service runs.'],
  host_unreachable: ['has no route to it', 'Check the network of this machine, and REST_URL.'],
  connect_timeout: ['accepts no connection in time', 'Check for a firewall, or set REST_TIMEOUT_MS.'],
  answer_timeout: ['does not answer in time', SLOW],
  connection_reset: CLOSED,
  closed_early: CLOSED,
  tls_protocol: ['does not speak TLS, or no version of it that Node does', PORT_AND_SCHEME],
  invalid_http: ['does not speak HTTP', PORT_AND_SCHEME],
  tls_expired: ['has expired', 'It has to be renewed.'],
  tls_not_yet_valid: ['is not valid yet', 'Check the clock of this machine.'],
  tls_self_signed: ['is signed by itself', PRIVATE_AUTHORITY],
  tls_unknown_issuer: ['is signed by an unknown authority', PRIVATE_AUTHORITY],
  tls_wrong_host: ['is for another name', 'Use the name that it is for in REST_URL.'],
};

/** The checks that need no credential. Returns whether they have passed, so that one may be sent. */
export async function checkConnection(url: URL, timeoutMs: number, report: Report): Promise<boolean> {
  const faultsBefore = report.counts.failed;
  const start = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  // Without a credential, so that it may accept an untrusted certificate, which is reported later.
  const list = new URL(url.pathname.replace(/\/*$/, '/v1/debtors'), url);
  const request = send(list, { agent: false, rejectUnauthorized: false, signal });
  // Of one that comes behind the head of the response, the response tells too.
  request.on('error', () => {});
  try {
    const [response]: IncomingMessage[] = await once(request.end(), 'response');
    if (!response) return false;
    const { socket } = response;
    const body = parseJson(await text(response));
    checkAnswer(url.host, response, body, Math.round(performance.now() - start), report);
    if (socket instanceof TLSSocket) checkCertificate(url.hostname, socket, report);
    else checkPlainHttp(url, report);
    if (socket.localAddress) checkAddress(socket.localAddress, report);
  } catch (error) {
    const timeout = request.socket?.connecting === false ? 'answer_timeout' : 'connect_timeout';
    const fault = signal.aborted ? timeout : faultOfError(error);
    const code = error instanceof Error && 'code' in error ? error.code : error;
    const [what, advice] = FAULTS[fault] ?? [`cannot be reached: ${code}`, 'Check REST_URL.'];
    const limit = signal.aborted ? `, ${timeoutMs} ms` : '';
    report.add('failed', 'reachable', `${url.host} ${what} (${fault}${limit})`, advice);
    if (url.protocol === 'http:') checkPlainHttp(url, report);
  }
  return report.counts.failed === faultsBefore;
}

/** Whether it is the REST service that answers: that refuses with an error object, which has a code and a message. */
function checkAnswer(
  host: string,
  response: IncomingMessage,
  body: unknown,
  ms: number,
  report: Report,
): void {
  const { statusCode: status = 0, headers } = response;
  const { code, message, errors } = isObject(body) ? body : {};
  const { location, 'content-type': type = 'no type' } = headers;
  const answers = `${host} answers with status ${status}, in ${ms} ms`;
  if (status >= 500)
    report.add('warned', 'reachable', answers, 'That is a failure of the service, or of a proxy before it.');
  else if (typeof code === 'string' && typeof message === 'string')
    report.add('passed', 'reachable', answers);
  else if (status === 401 || status === 403)
    report.add('warned', 'reachable', `${answers}, but without an error object of the REST service`);
  else {
    const other = location ? `Set REST_URL to where it leads: ${location}` : 'Check the address in REST_URL';
    const gateway = 'This is a GraphQL gateway: set REST_URL to the REST service behind it';
    const advice = `${Array.isArray(errors) ? gateway : other}.`;
    report.add('failed', 'reachable', `${answers}, and with ${type}: that is not the REST service`, advice);
  }
}

/** Whether a token would be read by others on its way. */
function checkPlainHttp(url: URL, report: Report): void {
  if (!isReadableByOthers(url)) report.add('skipped', 'TLS', 'plain HTTP, which is fine on one machine');
  else
    report.add('failed', 'TLS', 'plain HTTP: tokens would travel in the clear', 'Use https:// in REST_URL.');
}

const DAY_MS = 86_400_000;
const EXPIRY_WARNING_DAYS = 30;

function checkCertificate(hostname: string, socket: TLSSocket, report: Report): void {
  const certificate = `the certificate of ${hostname}`;
  const expiresAt = Date.parse(socket.getPeerCertificate().valid_to);
  const days = Math.floor((expiresAt - Date.now()) / DAY_MS);
  const date = new Date(expiresAt).toISOString().slice(0, 10);
  const message = `${socket.getProtocol()}; ${certificate} is valid until ${date}, ${days} days from now`;
  if (!socket.authorized) {
    const code = String(socket.authorizationError);
    const fault = faultOfCode(code);
    const [what, advice] = FAULTS[fault] ?? [`is not trusted, by ${code}`, PRIVATE_AUTHORITY];
    report.add('failed', 'TLS', `${certificate} ${what}: the gateway will not connect (${fault})`, advice);
  } else if (days >= EXPIRY_WARNING_DAYS) report.add('passed', 'TLS', message);
  else report.add('warned', 'TLS', message, 'See that it is renewed in time.');
}

const LOOPBACK = /^(?:127\.|::1$)/;
/** Not routed on the internet, so that the service sees another address. */
const PRIVATE =
  /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd]|fe[89ab])/i;
const ASK =
  'Ask whoever runs the network for that one: it belongs on the IP allow list of every application.';

/** The address that belongs on the allow list, as far as this end of the connection can tell. */
export function checkAddress(address: string, report: Pick<Report, 'add'>): void {
  const leave = `connections leave from ${address}`;
  const way = 'a NAT or proxy on the way';
  if (LOOPBACK.test(address)) report.add('skipped', 'address', `${address}: the service is on this machine`);
  else if (PRIVATE.test(address))
    report.add('warned', 'address', `${leave}, a private address: the service sees that of ${way}`, ASK);
  else {
    const belongs = 'which belongs on the IP allow list of every application';
    report.add('passed', 'address', `${leave}, ${belongs}, unless ${way} replaces it`);
  }
}
