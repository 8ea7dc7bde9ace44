import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIPv6 } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Config, ConfigError, type Environment, readDoctorConfig } from '../../config/index.ts';
import { type MemoryLimits, memoryLimits } from '../../limits/memory-limits.ts';
import { type CallFault, faultOfCode, faultOfError } from '../../rest/call-fault.ts';
import type { Resource } from '../../rest/resource.ts';
import { isReadableByOthers } from '../gateway-request.ts';
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

type Description = readonly [message: string, advice: string];
type Descriptions = { readonly [fault in CallFault]?: Description };

const PORT_AND_SCHEME = 'Check the port and the scheme in REST_URL.';
export const SLOW = 'Check whether the service is slow, or set REST_TIMEOUT_MS.';

/** What the fault means here; `code` is Node's, for what has no name of its own. */
function describeFault(
  fault: CallFault,
  code: string,
  { host, hostname }: URL,
  timeoutMs: number,
): Description {
  const closed: Description = [`${host} closes the connection without an answer`, PORT_AND_SCHEME];
  const descriptions: Descriptions = {
    unknown_host: [`there is no machine named ${hostname}`, 'Check the name in REST_URL.'],
    dns_failed: [
      `no name server answers for ${hostname}`,
      'Check the network and DNS settings of this machine.',
    ],
    connection_refused: [
      `${host} refuses the connection`,
      'Check the port in REST_URL, and that the service runs.',
    ],
    host_unreachable: [
      `there is no route to ${host}`,
      'Check the network of this machine, and the address in REST_URL.',
    ],
    connect_timeout: [
      `${host} did not accept a connection within ${timeoutMs} ms`,
      'Check that no firewall is in between, or set REST_TIMEOUT_MS.',
    ],
    answer_timeout: [`${host} did not answer within ${timeoutMs} ms`, SLOW],
    connection_reset: closed,
    closed_early: closed,
    tls_protocol: [`${host} does not speak TLS, or no version of it that Node does`, PORT_AND_SCHEME],
    invalid_http: [`${host} does not speak HTTP`, PORT_AND_SCHEME],
  };
  return descriptions[fault] ?? [`the connection to ${host} failed with ${code}`, 'Check REST_URL.'];
}

const PRIVATE_AUTHORITY = 'Where it is signed by an authority of your own, name that in NODE_EXTRA_CA_CERTS.';

const CERTIFICATE_FAULTS: Descriptions = {
  tls_expired: ['has expired', 'It has to be renewed.'],
  tls_not_yet_valid: ['is not valid yet', 'Check the clock of this machine.'],
  tls_self_signed: ['is signed by itself', PRIVATE_AUTHORITY],
  tls_unknown_issuer: ['is signed by an unknown authority', PRIVATE_AUTHORITY],
  tls_wrong_host: ['is for another name', 'Use the name that it is for in REST_URL.'],
};

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
    const [what, advice] = CERTIFICATE_FAULTS[fault] ?? [`is not trusted, by ${code}`, PRIVATE_AUTHORITY];
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

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Addresses that are not routed on the internet, so that the service sees another one. */
const PRIVATE = new BlockList();
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addSubnet('100.64.0.0', 10);
PRIVATE.addSubnet('169.254.0.0', 16);
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** The address that belongs on the allow list, as far as this end of the connection can tell. */
export function checkAddress(address: string): Finding {
  const check = 'address';
  const isIn = (list: BlockList) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  if (isIn(LOOPBACK)) return skipped(check, `${address}: the service is on this machine`);
  if (isIn(PRIVATE)) {
    return warned(
      check,
      `connections leave from ${address}, a private address: the service sees that of a NAT or proxy on the way`,
      'Ask whoever runs the network for that one: it belongs on the IP allow list of every application.',
    );
  }
  return passed(
    check,
    `connections leave from ${address}, which belongs on the IP allow list of every application, unless a NAT or ` +
      'proxy on the way puts its own in its place',
  );
}
