import type { CallFault } from '../../rest/call-fault.ts';

/** What the fault means here; `code` is Node's, for what has no name of its own. */
export function describeFault(
  fault: CallFault,
  code: string,
  { host, hostname }: URL,
  timeoutMs: number,
): [message: string, advice: string] {
  switch (fault) {
    case 'unknown_host':
      return [`there is no machine named ${hostname}`, 'Check the name in REST_URL.'];
    case 'dns_failed':
      return [
        `no name server answers for ${hostname}`,
        'Check the network and DNS settings of this machine.',
      ];
    case 'connection_refused':
      return [`${host} refuses the connection`, 'Check the port in REST_URL, and that the service runs.'];
    case 'host_unreachable':
      return [
        `there is no route to ${host}`,
        'Check the network of this machine, and the address in REST_URL.',
      ];
    case 'connect_timeout':
      return [
        `${host} did not accept a connection within ${timeoutMs} ms`,
        'Check that no firewall is in between, or set REST_TIMEOUT_MS.',
      ];
    case 'answer_timeout':
      return [
        `${host} did not answer within ${timeoutMs} ms`,
        'Check whether the service is slow, or set REST_TIMEOUT_MS.',
      ];
    case 'connection_reset':
    case 'closed_early':
      return [
        `${host} closes the connection without an answer`,
        'Check the port and the scheme in REST_URL.',
      ];
    case 'tls_protocol':
      return [
        `${host} does not speak TLS, or no version of it that Node does`,
        'Check the port and the scheme in REST_URL.',
      ];
    case 'invalid_http':
      return [`${host} does not speak HTTP`, 'Check the port and the scheme in REST_URL.'];
    default:
      return [`the connection to ${host} failed with ${code}`, 'Check REST_URL.'];
  }
}

const PRIVATE_AUTHORITY = 'Where it is signed by an authority of your own, name that in NODE_EXTRA_CA_CERTS.';

const CERTIFICATE_FAULTS: {
  readonly [fault in CallFault]?: readonly [message: string, advice: string];
} = {
  tls_expired: ['has expired', 'It has to be renewed.'],
  tls_not_yet_valid: ['is not valid yet', 'Check the clock of this machine.'],
  tls_self_signed: ['is signed by itself', PRIVATE_AUTHORITY],
  tls_unknown_issuer: ['is signed by an unknown authority', PRIVATE_AUTHORITY],
  tls_wrong_host: ['is for another name', 'Use the name that it is for in REST_URL.'],
};

/** What is wrong with a certificate; `code` is Node's, for what has no name of its own. */
export function describeCertificate(
  fault: CallFault,
  code: string,
): readonly [message: string, advice: string] {
  return CERTIFICATE_FAULTS[fault] ?? [`is not trusted, by ${code}`, PRIVATE_AUTHORITY];
}
