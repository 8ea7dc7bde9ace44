import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { connectThrough } from '../../rest/client/proxy.ts';
import { type CallErrorType, classifyError } from '../../rest/errors.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { isReadableByOthers } from '../gateway.ts';
import type { Report } from './report.ts';

/** Advice by error type, which log and metrics share. The first match counts. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^(unknown_host|dns_failed)$/, 'Check the name in REST_URL, and the DNS of this machine.'],
  [/timeout$/, 'Check whether the service is slow, or a firewall on the way; or set REST_TIMEOUT_MS.'],
  [/^tls_expired$/, 'The certificate must be renewed.'],
  [/^tls_not_yet_valid$/, 'Check the clock of this machine.'],
  [/^tls_wrong_host$/, 'Use the name in REST_URL that the certificate is for.'],
  [/^tls_(?!protocol)/, 'If your own authority signed it, set NODE_EXTRA_CA_CERTS.'],
  [/^unknown_path$/, 'Check the path in REST_URL. The gateway adds /v1 itself.'],
  [/_body$/, 'Check that REST_URL leads to the service, and not to a proxy or a login page.'],
  [/^status_3xx$/, 'Set REST_URL to where the service redirects.'],
  [/^status_5xx$/, 'Look at the log of the service.'],
  [/^proxy_/, 'Check HTTPS_PROXY or HTTP_PROXY, with user and password, and what the proxy allows.'],
  [/^(connection|host|closed|invalid_http|tls)/, 'Check port and scheme in REST_URL, and the service.'],
];

export function getAdvice(errorType: CallErrorType | undefined): string {
  return ADVICE.find(([types]) => errorType && types.test(errorType))?.[1] ?? '';
}

/** Runs the checks that need no credential. Returns whether one may be sent. */
export async function checkConnection(url: URL, proxy: URL | undefined, timeoutMs: number, report: Report) {
  const start = performance.now();
  const failedBefore = report.counts.failed;
  const signal = AbortSignal.timeout(timeoutMs);
  const connect = proxy ? connectThrough(proxy, url) : buildConnector({});
  let socket: Socket | null | undefined;
  const client = new Client(url.origin, {
    connect: (options, callback) =>
      connect(options, (...outcome) => {
        socket = outcome[1];
        callback(...outcome);
      }),
  });
  try {
    const path = url.pathname.replace(/\/*$/, '/v1/debtors');
    const response = await client.request({ method: 'GET', path, signal });
    const body = parseJson(await response.body.text());
    const ms = Math.round(performance.now() - start);
    const summary = `${url.host} responded with status ${response.statusCode} in ${ms} ms`;
    checkResponse(summary, response, body, report);
    if (socket instanceof TLSSocket) checkCertificate(url.hostname, socket, report);
    const from = proxy ? `the proxy ${proxy.host}` : (socket?.localAddress ?? '');
    const list = `which belongs on the IP allow list of every application${proxy ? '' : ', unless a NAT or proxy replaces it'}`;
    if (!/^(127\.|::1$|$)/.test(from)) report.passed('address', `connections leave from ${from}, ${list}`);
  } catch (error) {
    const timeout = socket ? 'answer_timeout' : 'connect_timeout';
    const errorType = signal.aborted ? timeout : classifyError(error);
    const problem = signal.aborted ? `does not respond within ${timeoutMs} ms` : 'cannot be reached';
    report.failed('reachable', `${url.host} ${problem} (${errorType})`, getAdvice(errorType));
  } finally {
    await client.destroy();
  }
  if (isReadableByOthers(url))
    report.failed('TLS', 'plain HTTP: tokens would travel unencrypted', 'Use https:// in REST_URL.');
  return report.counts.failed === failedBefore;
}

/** Only the REST service rejects a call with an error object, which has a code and a message. */
function checkResponse(summary: string, response: Dispatcher.ResponseData, body: unknown, report: Report) {
  const { statusCode: status, headers } = response;
  const { code, message } = isObject(body) ? body : {};
  if (status >= 500) report.warned('reachable', summary, 'The service failed, or a proxy in front of it.');
  else if (typeof code === 'string' && typeof message === 'string') report.passed('reachable', summary);
  else if (status === 401 || status === 403)
    report.warned('reachable', `${summary}, but without an error object of the REST service`);
  else {
    const { location, 'content-type': type = 'no type' } = headers;
    const advice = location
      ? `Set REST_URL to where it leads: ${location}.`
      : 'Check the address in REST_URL.';
    report.failed('reachable', `${summary}, and with ${type}: that is not the REST service`, advice);
  }
}

function checkCertificate(hostname: string, socket: TLSSocket, report: Report): void {
  const expiry = new Date(socket.getPeerCertificate().valid_to);
  const days = Math.floor((expiry.getTime() - Date.now()) / 86_400_000);
  const until = `valid until ${expiry.toISOString().slice(0, 10)}, ${days} days from now`;
  const message = `${socket.getProtocol()}; the certificate of ${hostname} is ${until}`;
  if (days >= 30) report.passed('TLS', message);
  else report.warned('TLS', message, 'Renew it in time.');
}
