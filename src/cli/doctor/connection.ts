import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { type Config, ConfigError, type Environment, readDoctorConfig } from '../../config/index.ts';
import { type MemoryLimits, memoryLimits } from '../../limits/shared-budget.ts';
import { faultOfCode, faultOfError } from '../../rest/call-fault.ts';
import type { Resource } from '../../rest/resource.ts';
import { isReadableByOthers } from '../gateway-request.ts';
import { checkAddress, describeCertificate, describeFault } from './connection-faults.ts';
import { type Finding, type Findings, failed, passed, skipped, warned } from './report.ts';

/** Reads the configuration as the gateway does; undefined if it cannot be used. */
export function checkConfiguration(env: Environment, resources: readonly Resource[], findings: Findings) {
  try {
    const checked = readDoctorConfig(env, resources);
    const { restUrl } = checked.config;
    const message = restUrl
      ? `REST_URL is ${restUrl.href}`
      : 'REST_URL is embedded: doctor checks the embedded service, to show what it does';
    findings.add(passed('configuration', message));
    findings.add(checkMemory(checked.config, memoryLimits()));
    return checked;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) findings.add(failed('configuration', fault));
    return undefined;
  }
}

/** Whether two responses of the largest allowed size fit into the memory that all operations share. */
export function checkMemory({ maxAnswerBytes, maxObjects }: Config, limits: MemoryLimits): Finding {
  const available = Math.min(limits.operationBytes, limits.unsentBytes);
  const [largest, all] = [maxAnswerBytes, available].map((bytes) => `${Math.round(bytes / 1e6)} MB`);
  const message = `one response may have ${largest} and ${maxObjects} objects; all together have ${all}`;
  return 2 * maxAnswerBytes <= available
    ? passed('memory', message)
    : warned('memory', message, 'Set a smaller MAX_ANSWER_BYTES, or a larger heap by --max-old-space-size.');
}

/** The checks that need no credential. Returns whether they have passed, so that one may be sent. */
export async function checkConnection(url: URL, timeoutMs: number, findings: Findings): Promise<boolean> {
  findings.checking(url.host);
  const found = await sendProbe(url, timeoutMs);
  for (const finding of found) findings.add(finding);
  return found.every(({ outcome }) => outcome !== 'failed');
}

/** What a request without credentials shows: any response that the service is reachable, whatever its status. */
function sendProbe(url: URL, timeoutMs: number): Promise<Finding[]> {
  const start = performance.now();
  let isConnected = false;
  const [request, connected] =
    url.protocol === 'https:' ? [requestHttps, 'secureConnect'] : [requestHttp, 'connect'];
  return new Promise((resolve) => {
    // The request carries nothing secret, so an untrusted certificate may be accepted here; checkCertificate reports it.
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { agent: false, rejectUnauthorized: false, signal };
    request(url, options, (response) => {
      const { socket, statusCode: status = 0 } = response;
      const message = `${url.host} answers with status ${status}, in ${Math.round(performance.now() - start)} ms`;
      resolve([
        status < 500
          ? passed('reachable', message)
          : warned('reachable', message, 'That is a failure of the service, or of a proxy before it.'),
        socket instanceof TLSSocket ? checkCertificate(url, socket) : checkPlainHttp(url),
        ...(socket.localAddress ? [checkAddress(socket.localAddress)] : []),
      ]);
      response.destroy();
    })
      .once('socket', (socket) => {
        socket.once(connected, () => {
          isConnected = true;
        });
      })
      .once('error', (error) => {
        const timeout = isConnected ? 'answer_timeout' : 'connect_timeout';
        const fault = signal.aborted ? timeout : faultOfError(error);
        const code = 'code' in error ? String(error.code) : String(error);
        const [message, advice] = describeFault(fault, code, url, timeoutMs);
        const unreachable = failed('reachable', `${message} (${fault})`, advice);
        resolve(url.protocol === 'http:' ? [unreachable, checkPlainHttp(url)] : [unreachable]);
      })
      .end();
  });
}

const TLS = 'TLS';

/** Whether a token would be read by others on its way. */
function checkPlainHttp(url: URL): Finding {
  return isReadableByOthers(url)
    ? failed(TLS, 'plain HTTP: tokens would travel in the clear', 'Use https:// in REST_URL.')
    : skipped(TLS, 'plain HTTP, which is fine on one machine');
}

const DAY_MS = 86_400_000;
const EXPIRY_WARNING_DAYS = 30;

function checkCertificate({ hostname }: URL, socket: TLSSocket): Finding {
  const certificate = `the certificate of ${hostname}`;
  if (!socket.authorized) {
    const code = String(socket.authorizationError);
    const fault = faultOfCode(code);
    const [what, advice] = describeCertificate(fault, code);
    return failed(TLS, `${certificate} ${what}: the gateway will not connect (${fault})`, advice);
  }
  const expiresAt = Date.parse(socket.getPeerCertificate().valid_to);
  const days = Math.floor((expiresAt - Date.now()) / DAY_MS);
  const date = new Date(expiresAt).toISOString().slice(0, 10);
  const protocol = socket.getProtocol() ?? TLS;
  const message = `${protocol}; ${certificate} is valid until ${date}, ${days} days from now`;
  return days < EXPIRY_WARNING_DAYS
    ? warned(TLS, message, 'See that it is renewed in time.')
    : passed(TLS, message);
}
