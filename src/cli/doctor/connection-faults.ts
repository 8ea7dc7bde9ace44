import { BlockList, isIP, isIPv6 } from 'node:net';
import type { CallFault } from '../../rest/call-fault.ts';
import { type Finding, passed, skipped, warned } from './report.ts';

type Description = readonly [message: string, advice: string];
type Descriptions = { readonly [fault in CallFault]?: Description };

const PORT_AND_SCHEME = 'Check the port and the scheme in REST_URL.';

/** What the fault means here; `code` is Node's, for what has no name of its own. */
export function describeFault(
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

/** What is wrong with a certificate; `code` is Node's, for what has no name of its own. */
export function describeCertificate(fault: CallFault, code: string): Description {
  return CERTIFICATE_FAULTS[fault] ?? [`is not trusted, by ${code}`, PRIVATE_AUTHORITY];
}

const WRONG_ADDRESS = 'Check that REST_URL leads to the service, and not to a proxy or a login page.';
const SLOW = 'Check whether the service is slow, or set REST_TIMEOUT_MS.';

/** What to do about a list that cannot be read. */
export const LIST_ADVICE: { readonly [fault in CallFault]?: string } = {
  unknown_path: 'Check the path in REST_URL. The gateway adds /v1 itself.',
  invalid_body: WRONG_ADDRESS,
  unexpected_body: WRONG_ADDRESS,
  status_3xx: 'Set REST_URL to where the service redirects.',
  status_5xx: 'Look at the log of the service.',
  answer_timeout: SLOW,
  body_timeout: SLOW,
};

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

/** The first IP address that a text names. */
export function addressIn(text: string): string | undefined {
  return text
    .split(/[^\w.:]+/)
    .map((word) => word.replace(/(?<![.:])[.:]+$/, ''))
    .find((word) => isIP(word) !== 0);
}
