import { request } from 'node:http';
import type { Socket } from 'node:net';
import querystring from 'node:querystring';
import { buildConnector } from 'undici';
import { isNetwork, matchNetworks } from '../../networks.ts';
import { withoutStack } from '../errors.ts';

interface ProxySettings {
  readonly httpsProxy?: URL | undefined;
  readonly httpProxy?: URL | undefined;
  readonly noProxy?: string | undefined;
}

/** Returns the proxy that undici's EnvHttpProxyAgent would choose, or undefined for a direct connection. */
export function proxyFor(url: URL, { httpsProxy, httpProxy, noProxy = '' }: ProxySettings): URL | undefined {
  const entries = noProxy.toLowerCase().split(/[\s,]+/);
  if (entries.some((entry) => isReachedDirectly(url, entry))) return undefined;
  return url.protocol === 'https:' ? (httpsProxy ?? httpProxy) : httpProxy;
}

function isReachedDirectly(url: URL, entry: string): boolean {
  const address = withoutBrackets(url.hostname);
  if (isNetwork(entry)) return isNetwork(address) && matchNetworks([entry])(address);
  const [, domain = '', port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (domain === '') return entry === '*';
  return (!port || port === getPort(url)) && `.${url.hostname}`.endsWith(`.${domain}`);
}

const withoutBrackets = (hostname: string) => hostname.replace(/[[\]]/g, '');
const getPort = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');

/** undici's ProxyAgent reconnects forever if a proxy hangs up, and hides whether the proxy or the service failed. */
export function connectThrough(proxy: URL, url: URL): buildConnector.connector {
  const connect = buildConnector({});
  const { hostname, host, port, protocol, username, password } = proxy;
  const proxyAddress = { hostname: withoutBrackets(hostname), host, port, protocol };
  const credential = `${querystring.unescape(username)}:${querystring.unescape(password)}`;
  const target = `${url.hostname}:${getPort(url)}`;
  const authorization = `Basic ${Buffer.from(credential).toString('base64')}`;
  const headers = { host: target, ...(credential !== ':' && { 'proxy-authorization': authorization }) };
  return (options, callback) =>
    connect(proxyAddress, (error, socket) => {
      if (error) return callback(unreachable(error), null);
      openTunnel(socket, target, headers, (failure) => {
        if (failure) callback(failure, null);
        else if (url.protocol === 'http:') callback(null, socket);
        else connect({ ...options, httpSocket: socket }, callback);
      });
    });
}

const TUNNEL_MS = 10_000;

function openTunnel(socket: Socket, path: string, headers: object, onEnd: (failure?: Error) => void): void {
  const sent = request({ createConnection: () => socket, method: 'CONNECT', path, headers: { ...headers } });
  const timer = setTimeout(() => sent.destroy(new Error('The proxy did not respond.')), TUNNEL_MS);
  const end = (failure?: Error) => {
    clearTimeout(timer);
    if (failure) socket.destroy();
    onEnd(failure);
  };
  sent.on('error', (error) => end(unreachable(error)));
  sent.on('connect', ({ statusCode }) => end(statusCode === 200 ? undefined : rejected(statusCode)));
  sent.end();
}

/** `classifyError` reads the code. */
function proxyError(code: string, what: string, cause?: Error): Error {
  const message = `The proxy on the way to the REST service ${what}.`;
  return Object.assign(
    withoutStack(() => new Error(message, { cause })),
    { code },
  );
}

const unreachable = (cause: Error) => proxyError('PROXY_UNREACHABLE', 'cannot be reached', cause);

const rejected = (status: number | undefined) =>
  status === 407
    ? proxyError('PROXY_AUTHENTICATION', 'rejected the credentials of the gateway (407)')
    : proxyError('PROXY_REFUSED', `refused the connection (${status})`);
