import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { type Config, ConfigError, type Environment, readDoctorConfig } from '../../config/index.ts';
import { type MemoryLimits, memoryLimits } from '../../limits/shared-budget.ts';
import { type CallFault, faultOfCode, faultOfError } from '../../rest/call-fault.ts';
import type { Resource } from '../../rest/resource.ts';
import { checkAddress, describeCertificate, describeFault } from './connection-faults.ts';
import { type Finding, failed, type OnProgress, passed, skipped, warned } from './report.ts';

/** A configuration that can be checked against the service. */
export interface CheckedConfiguration {
  readonly config: Config;
  /** The token of the environment. */
  readonly token: string | undefined;
}

/** Reads the configuration as the gateway does. Without a `checked` one, the findings say what is wrong with it. */
export function checkConfiguration(
  env: Environment,
  resources: readonly Resource[],
): { readonly checked?: CheckedConfiguration; readonly findings: readonly Finding[] } {
  try {
    const { config, token } = readDoctorConfig(env, resources);
    const message = config.restUrl
      ? `REST_URL is ${config.restUrl.href}`
      : 'REST_URL is embedded: doctor checks the embedded service, to show what it does';
    return {
      checked: { config, token },
      findings: [passed('configuration', message), checkMemory(config, memoryLimits())],
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: error.faults.map((fault) => failed('configuration', fault)) };
  }
}

/** Whether two responses of the largest allowed size fit into the memory that all operations share. */
export function checkMemory({ maxAnswerBytes, maxObjects }: Config, limits: MemoryLimits): Finding {
  const available = Math.min(limits.operationBytes, limits.unsentBytes);
  const limitsText = `one response may have ${megabytes(maxAnswerBytes)} and ${maxObjects} objects`;
  const message = `${limitsText}; all together have ${megabytes(available)}`;
  if (2 * maxAnswerBytes <= available) return passed('memory', message);
  return warned(
    'memory',
    message,
    'Set a smaller MAX_ANSWER_BYTES, or a larger heap by --max-old-space-size.',
  );
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** The checks that need no credential, and have to pass before one is sent. */
export async function* checkConnection(
  url: URL,
  timeoutMs: number,
  onProgress: OnProgress,
): AsyncGenerator<Finding> {
  onProgress(url.host);
  const { finding, response } = await checkReachable(url, timeoutMs);
  yield finding;
  if (response || url.protocol === 'http:') yield checkTls(url, response?.tls);
  if (response?.localAddress) yield checkAddress(response.localAddress);
}

/** The response to a request without credentials. */
interface ProbeResponse {
  readonly status: number;
  readonly milliseconds: number;
  /** The address that the connection left this machine from. */
  readonly localAddress: string | undefined;
  /** Absent over plain HTTP. */
  readonly tls?: TlsConnection;
}

interface TlsConnection {
  readonly protocol: string;
  /** Node's code for why the certificate is not trusted. */
  readonly error?: string;
  readonly expiresAt: number;
}

/** Any response shows that the service is reachable, whatever its status. */
async function checkReachable(
  url: URL,
  timeoutMs: number,
): Promise<{ readonly finding: Finding; readonly response?: ProbeResponse }> {
  const check = 'reachable';
  try {
    const response = await sendProbe(url, timeoutMs);
    const { status, milliseconds } = response;
    const message = `${url.host} answers with status ${status}, in ${milliseconds} ms`;
    const advice = 'That is a failure of the service, or of a proxy before it.';
    return { finding: status < 500 ? passed(check, message) : warned(check, message, advice), response };
  } catch (error) {
    const fault = error instanceof ProbeTimeout ? error.fault : faultOfError(error);
    const [message, advice] = describeFault(fault, codeOf(error), url, timeoutMs);
    return { finding: failed(check, `${message} (${fault})`, advice) };
  }
}

/** How far the probe had come by its deadline. */
class ProbeTimeout extends Error {
  readonly fault: CallFault;

  constructor(isConnected: boolean) {
    super();
    this.fault = isConnected ? 'answer_timeout' : 'connect_timeout';
  }
}

function sendProbe(url: URL, timeoutMs: number): Promise<ProbeResponse> {
  const start = performance.now();
  let isConnected = false;
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // The request carries nothing secret, so an untrusted certificate may be accepted here; checkTls reports it.
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { agent: false, rejectUnauthorized: false, signal };
    request(url, options, (response) => {
      const { socket, statusCode: status = 0 } = response;
      const { localAddress } = socket;
      const tls = socket instanceof TLSSocket ? tlsConnectionOf(socket) : undefined;
      response.destroy();
      const milliseconds = Math.round(performance.now() - start);
      resolve({ status, milliseconds, localAddress, ...(tls && { tls }) });
    })
      .once('socket', (socket) => {
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
          isConnected = true;
        });
      })
      .once('error', (error) => reject(signal.aborted ? new ProbeTimeout(isConnected) : error))
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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

const DAY_MS = 86_400_000;
const EXPIRY_WARNING_DAYS = 30;

/** Whether a token would be encrypted on its way, and the gateway would trust the certificate. */
function checkTls(url: URL, tls: TlsConnection | undefined): Finding {
  const check = 'TLS';
  if (tls === undefined) {
    return isLoopback(url.hostname)
      ? skipped(check, 'plain HTTP, which is fine on one machine')
      : failed(check, 'plain HTTP: tokens would travel in the clear', 'Use https:// in REST_URL.');
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

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
