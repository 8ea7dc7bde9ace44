import { request } from 'node:http';
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { isAddressText, isNetwork, matchNetworks } from '../../networks.ts';
import { withoutStack } from '../errors.ts';

/** The proxies that REST calls may leave through. */
interface ProxySettings {
  readonly httpsProxy?: URL | undefined;
  readonly httpProxy?: URL | undefined;
  /** Hosts, domains and networks that are reached directly, as in `NO_PROXY`. */
  readonly noProxy?: string | undefined;
}

/** Returns the proxy for a URL, which undici's EnvHttpProxyAgent would choose; undefined for a direct connection. */
export function proxyFor(url: URL, { httpsProxy, httpProxy, noProxy = '' }: ProxySettings): URL | undefined {
  const entries = noProxy.toLowerCase().split(/[\s,]+/);
  if (entries.some((entry) => isReachedDirectly(url, entry))) return undefined;
  return url.protocol === 'https:' ? (httpsProxy ?? httpProxy) : httpProxy;
}

function isReachedDirectly(url: URL, entry: string): boolean {
  const address = withoutBrackets(url.hostname);
  if (isNetwork(entry)) return isAddressText(address) && matchNetworks([entry])(address);
  const [, domain = '', port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (domain === '') return entry === '*';
  return (!port || port === portOf(url)) && `.${url.hostname}`.endsWith(`.${domain}`);
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/[[\]]/g, '');
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

/** A proxy failed, and no call has reached the service. */
export class ProxyError extends Error {
  constructor(
    readonly code: 'PROXY_UNREACHABLE' | 'PROXY_AUTHENTICATION' | 'PROXY_REFUSED',
    message: string,
    cause?: Error,
  ) {
    super(`The proxy on the way to the REST service ${message}.`, { cause });
  }
}

/**
 * Returns what connects to a service through a proxy, and never in another way. Where a proxy hangs up, undici's ProxyAgent
 * connects again without end; nor does it tell a fault of the proxy from one of the service.
 */
export function connectThrough(proxy: URL, url: URL): buildConnector.connector {
  const connect = buildConnector({});
  const { hostname, host, port, protocol, username, password } = proxy;
  const place = { hostname: withoutBrackets(hostname), host, port, protocol };
  const credential = [username, password].map(decodeURIComponent).join(':');
  const headers = {
    host: `${url.hostname}:${portOf(url)}`,
    ...(credential !== ':' && {
      'proxy-authorization': `Basic ${Buffer.from(credential).toString('base64')}`,
    }),
  };
  return (options, callback) =>
    connect(place, (error, socket) => {
      if (error) return callback(unreachable(error), null);
      void openTunnel(socket, headers).then((fault) => {
        if (fault) callback(fault, null);
        else if (url.protocol === 'http:') callback(null, socket);
        else connect({ ...options, httpSocket: socket }, callback);
      });
    });
}

/** How long a proxy may take to respond. */
const TUNNEL_MS = 10_000;

/** Asks the proxy at the other end of a socket to connect it to a host. Returns why it does not. */
function openTunnel(socket: Socket, headers: { readonly host: string }): Promise<ProxyError | undefined> {
  return new Promise((resolve) => {
    const asked = request({ createConnection: () => socket, method: 'CONNECT', path: headers.host, headers });
    const timer = setTimeout(() => asked.destroy(new Error('The proxy did not respond.')), TUNNEL_MS);
    const end = (fault?: ProxyError) => {
      clearTimeout(timer);
      if (fault) socket.destroy();
      resolve(fault);
    };
    asked.on('error', (error) => end(unreachable(error)));
    asked.on('connect', ({ statusCode }) => end(statusCode === 200 ? undefined : refusal(statusCode)));
    asked.end();
  });
}

function unreachable(cause: Error): ProxyError {
  return withoutStack(() => new ProxyError('PROXY_UNREACHABLE', 'cannot be reached', cause));
}

function refusal(status: number | undefined): ProxyError {
  return withoutStack(() =>
    status === 407
      ? new ProxyError('PROXY_AUTHENTICATION', 'did not accept the credentials of the gateway (407)')
      : new ProxyError('PROXY_REFUSED', `refused the connection (${status})`),
  );
}
