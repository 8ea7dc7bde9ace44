import { describe, expect, test } from 'vitest';
import {
  CALL_FAULTS,
  type CallFault,
  faultOfCode,
  faultOfError,
  faultOfStatus,
} from '../../src/rest/call-fault.ts';

describe('a fault of a connection', () => {
  test.each<[string, CallFault]>([
    ['ECONNREFUSED', 'connection_refused'],
    ['EHOSTUNREACH', 'host_unreachable'],
    ['ENETUNREACH', 'host_unreachable'],
    ['EAI_AGAIN', 'dns_failed'],
    ['ETIMEDOUT', 'connect_timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
    ['EPIPE', 'connection_reset'],
    ['HPE_INVALID_CONSTANT', 'invalid_http'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_protocol'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls_protocol'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_unknown_issuer'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls_unknown_issuer'],
    ['CERT_REVOKED', 'tls_certificate'],
    ['CERT_SIGNATURE_FAILURE', 'tls_certificate'],
    ['CRL_HAS_EXPIRED', 'tls_certificate'],
    ['INVALID_CA', 'tls_certificate'],
    ['INVALID_PURPOSE', 'tls_certificate'],
    ['EMFILE', 'connection_failed'],
    ['', 'connection_failed'],
    ['constructor', 'connection_failed'],
  ])('%s is %s', (code, fault) => {
    expect(faultOfCode(code)).toBe(fault);
    expect(faultOfError(Object.assign(new Error('a secret'), { code }))).toBe(fault);
  });

  test.each([undefined, null, 'ECONNREFUSED', new Error(), Object.assign(new Error(), { code: 7 })])(
    'that is %o has no code',
    (error) => {
      expect(faultOfError(error)).toBe('connection_failed');
    },
  );
});

test('a fault of a status is its class', () => {
  const statuses = [204, 301, 400, 401, 429, 499, 500, 503, 599, 999];
  expect(statuses.map(faultOfStatus).map((fault) => fault.at('status_'.length))).toEqual([...'3344445555']);
});

test('faults are words that can be a label', () => {
  expect(CALL_FAULTS.filter((fault) => !/^[a-z\d_]+$/.test(fault))).toEqual([]);
  expect(new Set(CALL_FAULTS).size).toBe(CALL_FAULTS.length);
});
