import { expect, test } from 'vitest';
import { type CallErrorType, classifyError } from '../../src/rest/errors.ts';

/** Those that a test can bring about are in test/resilience/outbound/call-faults.test.ts. */
test.each<[unknown, CallErrorType]>([
  ['EHOSTUNREACH', 'host_unreachable'],
  ['EAI_AGAIN', 'dns_failed'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
  ['EPIPE', 'connection_reset'],
  ['HPE_INVALID_CONSTANT', 'invalid_http'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls_protocol'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_unknown_issuer'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls_unknown_issuer'],
  ['CERT_SIGNATURE_FAILURE', 'tls_certificate'],
  ['CRL_HAS_EXPIRED', 'tls_certificate'],
  ['INVALID_CA', 'tls_certificate'],
  ['EMFILE', 'connection_failed'],
  ['constructor', 'connection_failed'],
  [7, 'connection_failed'],
])('a connection error with the code %s is reported as %s', (code, fault) => {
  expect(classifyError(Object.assign(new Error('a secret'), { code }))).toBe(fault);
});
