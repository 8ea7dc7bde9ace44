import { errors } from 'undici';

/** Why REST calls fail, for operators: a fixed set, so that none holds text of the service. Callers see only a code. */
export const CALL_FAULTS = [
  // There is no connection.
  'connection_refused',
  'connection_reset',
  'connection_failed',
  'unknown_host',
  'dns_failed',
  'host_unreachable',
  'tls_expired',
  'tls_not_yet_valid',
  'tls_self_signed',
  'tls_unknown_issuer',
  'tls_wrong_host',
  'tls_certificate',
  'tls_protocol',
  // By the deadline there is no connection, no head of the answer, or not all of its body.
  'connect_timeout',
  'answer_timeout',
  'body_timeout',
  // The answer cannot be used.
  'closed_early',
  'invalid_http',
  'invalid_body',
  'unexpected_body',
  'too_large',
  'status_3xx',
  'unknown_path',
  'status_4xx',
  'status_5xx',
  // The caller left, or the operation took too long or had to make room.
  'aborted',
  'internal',
] as const;

export type CallFault = (typeof CALL_FAULTS)[number];

/** By the code of an error of Node, of OpenSSL or of undici. */
const FAULTS = new Map<string, CallFault>([
  ['ECONNREFUSED', 'connection_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['ENOTFOUND', 'unknown_host'],
  ['EAI_AGAIN', 'dns_failed'],
  ['EHOSTUNREACH', 'host_unreachable'],
  ['ENETUNREACH', 'host_unreachable'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
  ['UND_ERR_SOCKET', 'closed_early'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'closed_early'],
  ['UND_ERR_HEADERS_OVERFLOW', 'invalid_http'],
  ['CERT_HAS_EXPIRED', 'tls_expired'],
  ['CERT_NOT_YET_VALID', 'tls_not_yet_valid'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_self_signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_unknown_issuer'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls_unknown_issuer'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls_unknown_issuer'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_unknown_issuer'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_wrong_host'],
  ['HOSTNAME_MISMATCH', 'tls_wrong_host'],
  ['EPROTO', 'tls_protocol'],
]);

const FAMILIES: readonly (readonly [RegExp, CallFault])[] = [
  [/^HPE_/, 'invalid_http'],
  [/^ERR_SSL_/, 'tls_protocol'],
  // OpenSSL has some thirty more reasons not to trust a certificate.
  [/CERT|CRL|SIGNATURE|_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/, 'tls_certificate'],
];

export function faultOfCode(code: string): CallFault {
  return FAULTS.get(code) ?? FAMILIES.find(([family]) => family.test(code))?.[1] ?? 'connection_failed';
}

/** Of an error of the connection. Several addresses of one host give one error for all, which has the code of the first. */
export function faultOfError(error: unknown): CallFault {
  // Not all of these have a code.
  if (error instanceof errors.HTTPParserError) return 'invalid_http';
  const hasCode = error instanceof Error && 'code' in error && typeof error.code === 'string';
  return hasCode ? faultOfCode(String(error.code)) : 'connection_failed';
}

export function faultOfStatus(status: number): CallFault {
  if (status >= 500) return 'status_5xx';
  return status >= 400 ? 'status_4xx' : 'status_3xx';
}

/** Another attempt a moment later would find the same certificate. */
export function isCertificateFault(fault: CallFault): boolean {
  return fault.startsWith('tls_') && fault !== 'tls_protocol';
}

/** Whether the service, or the way to it, has failed: not the caller, whose token or request was refused. */
export function isServiceFault(fault: CallFault): boolean {
  return fault !== 'status_4xx' && fault !== 'aborted';
}
