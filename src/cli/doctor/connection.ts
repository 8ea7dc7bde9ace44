import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { type Config, ConfigError, type Environment, readDoctorConfig } from '../../config/index.ts';
import { type MemoryLimits, memoryLimits } from '../../limits/memory-limits.ts';
import type { Resource } from '../../rest/resource.ts';
import { checkAddress } from './address.ts';
import { type Finding, failed, type OnProgress, passed, skipped, warned } from './finding.ts';

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
  const limitsText = `an answer may have ${megabytes(maxAnswerBytes)} and ${maxObjects} objects`;
  const message = `${limitsText}; together they have ${megabytes(available)}`;
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
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { finding: failed(check, ...describeConnectionError(code, url, timeoutMs)) };
  }
}

function sendProbe(url: URL, timeoutMs: number): Promise<ProbeResponse> {
  const start = performance.now();
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // The request carries nothing secret, so an untrusted certificate may be accepted here; checkTls reports it.
    const options = { agent: false, rejectUnauthorized: false, signal: AbortSignal.timeout(timeoutMs) };
    request(url, options, (response) => {
      const { socket, statusCode: status = 0 } = response;
      const { localAddress } = socket;
      const tls = socket instanceof TLSSocket ? tlsConnectionOf(socket) : undefined;
      response.destroy();
      const milliseconds = Math.round(performance.now() - start);
      resolve({ status, milliseconds, localAddress, ...(tls && { tls }) });
    })
      .once('error', reject)
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

function describeConnectionError(
  code: string,
  { host, hostname }: URL,
  timeoutMs: number,
): [message: string, advice: string] {
  switch (code) {
    case 'ENOTFOUND':
      return [`there is no machine named ${hostname}`, 'Check the name in REST_URL.'];
    case 'EAI_AGAIN':
      return [
        `no name server answers for ${hostname}`,
        'Check the network and DNS settings of this machine.',
      ];
    case 'ECONNREFUSED':
      return [`${host} refuses the connection`, 'Check the port in REST_URL, and that the service runs.'];
    case 'ABORT_ERR':
    case 'ETIMEDOUT':
      return [
        `${host} did not answer within ${timeoutMs} ms`,
        'Check that no firewall is in between, or set REST_TIMEOUT_MS.',
      ];
    case 'EPROTO':
      return [`${host} does not speak TLS`, 'Check the port and the scheme in REST_URL.'];
    default:
      return [
        code.startsWith('HPE_')
          ? `${host} does not speak HTTP`
          : `the connection to ${host} failed with ${code}`,
        'Check REST_URL.',
      ];
  }
}

const DAY_MS = 86_400_000;
const EXPIRY_WARNING_DAYS = 30;

const PRIVATE_AUTHORITY = 'Where it is signed by an authority of your own, name that in NODE_EXTRA_CA_CERTS.';

/** By Node's code for why a certificate is not trusted. */
const CERTIFICATE_ERRORS: { readonly [code: string]: readonly [message: string, advice: string] } = {
  CERT_HAS_EXPIRED: ['has expired', 'It has to be renewed.'],
  CERT_NOT_YET_VALID: ['is not valid yet', 'Check the clock of this machine.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['is signed by itself', PRIVATE_AUTHORITY],
  SELF_SIGNED_CERT_IN_CHAIN: ['is signed by an unknown authority', PRIVATE_AUTHORITY],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['is signed by an unknown authority', PRIVATE_AUTHORITY],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['is signed by an unknown authority', PRIVATE_AUTHORITY],
  ERR_TLS_CERT_ALTNAME_INVALID: ['is for another name', 'Use the name that it is for in REST_URL.'],
};

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
    const [what, advice] = CERTIFICATE_ERRORS[error] ?? [`is not trusted (${error})`, PRIVATE_AUTHORITY];
    return failed(check, `the certificate of ${url.hostname} ${what}: the gateway will not connect`, advice);
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
