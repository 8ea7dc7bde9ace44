import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import tls from 'node:tls';
import { onTestFinished, vi } from 'vitest';

const DAY_MS = 86_400_000;

/** The DER encoding of a value, as far as certificates need it: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengthBytes =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const identifier = (...bytes: readonly number[]) => der(0x06, Buffer.from(bytes));
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const time = (moment: number) =>
  der(0x18, Buffer.from(`${new Date(moment).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`));

const ECDSA_WITH_SHA256 = sequence(identifier(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = identifier(0x55, 0x04, 0x03);
const nameOf = (name: string) => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
const SUBJECT_ALTERNATIVE_NAME = identifier(0x55, 0x1d, 0x11);

interface CertificateOptions {
  readonly name: string;
  /** When it becomes valid and when it expires, in days from now. */
  readonly from?: number;
  readonly until?: number;
  /** Whether an authority has signed it that nobody knows, and not the certificate itself. */
  readonly isSignedByOther?: boolean;
}

export function certificateFor({
  name,
  from = -90,
  until = 400,
  isSignedByOther = false,
}: CertificateOptions) {
  const { privateKey, publicKey } = newKeys();
  const subject = nameOf(name);
  const now = Date.now();
  const alternative = /^[\d.]+$/.test(name)
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name));
  const extension = sequence(SUBJECT_ALTERNATIVE_NAME, der(0x04, sequence(alternative)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    isSignedByOther ? nameOf('Another authority') : subject,
    sequence(time(now + from * DAY_MS), time(now + until * DAY_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', body, isSignedByOther ? newKeys().privateKey : privateKey);
  const certificate = sequence(body, ECDSA_WITH_SHA256, bits(signature));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** Trusts it until the test is over, as NODE_EXTRA_CA_CERTS does for a process. */
export function trust(authority: string): void {
  const { createSecureContext } = tls;
  const spy = vi.spyOn(tls, 'createSecureContext').mockImplementation((options) => {
    const secure = createSecureContext(options);
    secure.context.addCACert(authority);
    return secure;
  });
  onTestFinished(() => spy.mockRestore());
}
