import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { type Config, ConfigError, type Environment, readDoctorConfig } from '../../config/index.ts';
import { type MemoryLimits, memoryLimits } from '../../limits/shared-budget.ts';
import { type CallFault, faultOfCode, faultOfError } from '../../rest/call-fault.ts';
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
  const probe = await sendProbe(url, timeoutMs);
  const found = [checkReachable(url, timeoutMs, probe)];
  if ('status' in probe || url.protocol === 'http:') found.push(checkTls(url, probe.tls));
  if (probe.localAddress) found.push(checkAddress(probe.localAddress));
  for (const finding of found) findings.add(finding);
  return found.every(({ outcome }) => outcome !== 'failed');
}

/** What came of a request without credentials. */
interface Probe {
  /** The address that the connection left this machine from. */
  readonly localAddress?: string | undefined;
  /** Absent over plain HTTP. */
  readonly tls?: TlsConnection | undefined;
}

type ProbeResult = Probe &
  (
    | { readonly status: number; readonly milliseconds: number }
    | { readonly fault: CallFault; readonly code: string }
  );

interface TlsConnection {
  readonly protocol: string;
  /** Node's code for why the certificate is not trusted. */
  readonly error?: string;
  readonly expiresAt: number;
}

function sendProbe(url: URL, timeoutMs: number): Promise<ProbeResult> {
  const start = performance.now();
  let isConnected = false;
  const [request, connected] =
    url.protocol === 'https:' ? [requestHttps, 'secureConnect'] : [requestHttp, 'connect'];
  return new Promise((resolve) => {
    // The request carries nothing secret, so an untrusted certificate may be accepted here; checkTls reports it.
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { agent: false, rejectUnauthorized: false, signal };
    request(url, options, (response) => {
      const { socket, statusCode: status = 0 } = response;
      const { localAddress } = socket;
      const tls = socket instanceof TLSSocket ? tlsConnectionOf(socket) : undefined;
      response.destroy();
      resolve({ status, milliseconds: Math.round(performance.now() - start), localAddress, tls });
    })
      .once('socket', (socket) => {
        socket.once(connected, () => {
          isConnected = true;
        });
      })
      .once('error', (error) => {
        const timeout = isConnected ? 'answer_timeout' : 'connect_timeout';
        const code = 'code' in error ? String(error.code) : String(error);
        resolve({ fault: signal.aborted ? timeout : faultOfError(error), code });
      })
      .end();
  });
}

function tlsConnectionOf(socket: TLSSocket): TlsConnection {
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    ...(!socket.authorized && { error: String(socket.authorizationError) }),
    expiresAt: Date.parse(socket.getPeerCertificate().valid_to),
  };
}

/** Any response shows that the service is reachable, whatever its status. */
function checkReachable(url: URL, timeoutMs: number, probe: ProbeResult): Finding {
  const check = 'reachable';
  if ('fault' in probe) {
    const [message, advice] = describeFault(probe.fault, probe.code, url, timeoutMs);
    return failed(check, `${message} (${probe.fault})`, advice);
  }
  const { status, milliseconds } = probe;
  const message = `${url.host} answers with status ${status}, in ${milliseconds} ms`;
  return status < 500
    ? passed(check, message)
    : warned(check, message, 'That is a failure of the service, or of a proxy before it.');
}

const DAY_MS = 86_400_000;
const EXPIRY_WARNING_DAYS = 30;

/** Whether a token would be encrypted on its way, and the gateway would trust the certificate. */
function checkTls(url: URL, tls: TlsConnection | undefined): Finding {
  const check = 'TLS';
  if (tls === undefined) {
    return isReadableByOthers(url)
      ? failed(check, 'plain HTTP: tokens would travel in the clear', 'Use https:// in REST_URL.')
      : skipped(check, 'plain HTTP, which is fine on one machine');
  }
  const { protocol, error, expiresAt } = tls;
  if (error !== undefined) {
    const fault = faultOfCode(error);
    const [what, advice] = describeCertificate(fault, error);
    const message = `the certificate of ${url.hostname} ${what}: the gateway will not connect (${fault})`;
    return failed(check, message, advice);
  }
  const days = Math.floor((expiresAt - Date.now()) / DAY_MS);
  const date = new Date(expiresAt).toISOString().slice(0, 10);
  const message = `${protocol}; the certificate of ${url.hostname} is valid until ${date}, ${days} days from now`;
  return days < EXPIRY_WARNING_DAYS
    ? warned(check, message, 'See that it is renewed in time.')
    : passed(check, message);
}
