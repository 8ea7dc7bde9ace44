import { errors } from 'undici';

/**
 * Why REST calls fail, for operators, and the codes of Node, OpenSSL and undici that say so. A fixed set, so that none
 * holds text of the service. Callers see only a code.
 */
const FAULTS = [
  // There is no connection.
  ['connection_refused', 'ECONNREFUSED'],
  ['connection_reset', 'ECONNRESET', 'EPIPE'],
  ['connection_failed'],
  ['unknown_host', 'ENOTFOUND'],
  ['dns_failed', 'EAI_AGAIN'],
  ['host_unreachable', 'EHOSTUNREACH', 'ENETUNREACH'],
  ['tls_protocol', 'EPROTO', /^ERR_SSL_/],
  ['tls_expired', 'CERT_HAS_EXPIRED'],
  ['tls_not_yet_valid', 'CERT_NOT_YET_VALID'],
  ['tls_self_signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['tls_unknown_issuer', 'SELF_SIGNED_CERT_IN_CHAIN', /^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/],
  ['tls_wrong_host', 'ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  // OpenSSL has some thirty more reasons not to trust a certificate.
  ['tls_certificate', /CERT|CRL|SIGNATURE|_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/],
  // By the deadline there is no connection, no head of the answer, or not all of its body.
  ['connect_timeout', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
  ['answer_timeout'],
  ['body_timeout'],
  // The answer cannot be used.
  ['closed_early', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
  ['invalid_http', 'UND_ERR_HEADERS_OVERFLOW', /^HPE_/],
  ['invalid_body'],
  ['unexpected_body'],
  ['too_large'],
  ['status_3xx'],
  ['unknown_path'],
  ['status_4xx'],
  ['status_5xx'],
  // The caller left, or the operation took too long or had to make room.
  ['aborted'],
  ['internal'],
] as const;

export type CallFault = (typeof FAULTS)[number][0];
export const CALL_FAULTS: readonly CallFault[] = FAULTS.map(([fault]) => fault);

/** Of an error of the connection. Several addresses of one host give one error for all, which has the code of the first. */
export function faultOfError(error: unknown): CallFault {
  // Not all of these have a code.
  if (error instanceof errors.HTTPParserError) return 'invalid_http';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isOwn = (known: string | RegExp) => (typeof known === 'string' ? known === code : known.test(code));
  return FAULTS.find(([, ...codes]) => codes.some(isOwn))?.[0] ?? 'connection_failed';
}

/** Whether the service, or the way to it, has failed: not the caller, whose token or request was refused. */
export function isServiceFault(fault: CallFault): boolean {
  return fault !== 'status_4xx' && fault !== 'aborted';
}
