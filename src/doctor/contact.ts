import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { TLSSocket } from 'node:tls';
import { type Finding, failed, passed, warned } from './finding.ts';

/** What an answer to a request without a credential shows. */
export interface Contact {
  readonly status: number;
  readonly milliseconds: number;
  /** The connection that it came by; absent where that was not encrypted. */
  readonly encryption?: Encryption;
}

export interface Encryption {
  readonly protocol: string;
  /** Why the certificate cannot be trusted, as Node names it. */
  readonly fault?: string;
  readonly expiresAt: number;
}

/** Any answer will do: that it is reachable is all there is to know yet. */
export async function checkReachable(
  url: URL,
  timeoutMs: number,
): Promise<{ readonly finding: Finding; readonly contact?: Contact }> {
  try {
    const contact = await makeContact(url, timeoutMs);
    const { status, milliseconds } = contact;
    const found = `${url.host} answers with status ${status}, in ${milliseconds} ms`;
    const advice = 'That is a failure of the service, or of a proxy before it.';
    return {
      finding: status < 500 ? passed('reachable', found) : warned('reachable', found, advice),
      contact,
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { finding: failed('reachable', ...whyNot(code, url, timeoutMs)) };
  }
}

function makeContact(url: URL, timeoutMs: number): Promise<Contact> {
  const start = performance.now();
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    // Nothing is sent that a stranger may not see, and a bad certificate is to be looked at, not to end it here.
    const options = { agent: false, rejectUnauthorized: false, signal: AbortSignal.timeout(timeoutMs) };
    request(url, options, (response) => {
      const { socket, statusCode: status = 0 } = response;
      const encryption = socket instanceof TLSSocket ? encryptionOf(socket) : undefined;
      response.destroy();
      const milliseconds = Math.round(performance.now() - start);
      resolve({ status, milliseconds, ...(encryption && { encryption }) });
    })
      .once('error', reject)
      .end();
  });
}

function encryptionOf(socket: TLSSocket): Encryption {
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    ...(!socket.authorized && { fault: String(socket.authorizationError) }),
    expiresAt: Date.parse(socket.getPeerCertificate().valid_to),
  };
}

/** What was found, and what to do about it. */
function whyNot(code: string, { host, hostname }: URL, timeoutMs: number): [found: string, advice: string] {
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
