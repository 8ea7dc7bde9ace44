import type { Encryption } from './contact.ts';
import { type Finding, failed, passed, skipped, warned } from './finding.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;

const PRIVATE_AUTHORITY = 'Where it is signed by an authority of your own, name that in NODE_EXTRA_CA_CERTS.';

/** Why a certificate is not trusted, by Node's name for it. */
const FAULTS: { readonly [code: string]: readonly [found: string, advice: string] } = {
  CERT_HAS_EXPIRED: ['has expired', 'It has to be renewed.'],
  CERT_NOT_YET_VALID: ['is not valid yet', 'Check the clock of this machine.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['is signed by itself', PRIVATE_AUTHORITY],
  SELF_SIGNED_CERT_IN_CHAIN: ['is signed by an unknown authority', PRIVATE_AUTHORITY],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['is signed by an unknown authority', PRIVATE_AUTHORITY],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['is signed by an unknown authority', PRIVATE_AUTHORITY],
  ERR_TLS_CERT_ALTNAME_INVALID: ['is for another name', 'Use the name that it is for in REST_URL.'],
};

/** Whether tokens can travel to the service without anybody else reading them. */
export function checkEncryption(url: URL, encryption: Encryption | undefined): Finding {
  const check = 'TLS';
  if (encryption === undefined) {
    return isLoopback(url.hostname)
      ? skipped(check, 'plain HTTP, which is fine on one machine')
      : failed(check, 'plain HTTP: tokens would travel in the clear', 'Use https:// in REST_URL.');
  }
  const { protocol, fault, expiresAt } = encryption;
  if (fault !== undefined) {
    const [what, advice] = FAULTS[fault] ?? [`is not trusted (${fault})`, PRIVATE_AUTHORITY];
    return failed(check, `the certificate of ${url.hostname} ${what}: the gateway will not connect`, advice);
  }
  const days = Math.floor((expiresAt - Date.now()) / DAY_MS);
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  const found = `${protocol}; the certificate of ${url.hostname} is valid until ${day}, ${days} days from now`;
  return days < SOON_DAYS ? warned(check, found, 'See that it is renewed in time.') : passed(check, found);
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
