import { isIP } from 'node:net';
import { matchNetworks } from '../networks.ts';
import type { Log } from '../telemetry/log.ts';

/**
 * Returns a function that finds the rightmost address in `X-Forwarded-For` that is not a trusted proxy. Each proxy appends
 * the address that it sees, so a client can make up everything to the left of its own, and nothing to the right.
 */
export function trustProxies(networks: readonly string[], log: Log) {
  const isTrusted = matchNetworks(networks);
  // Without trusted proxies, ignoring the header is intended.
  let isWarned = networks.length === 0;
  return (peer: string | undefined, forwardedFor: unknown): string | undefined => {
    if (peer === undefined || typeof forwardedFor !== 'string') return peer;
    if (!isTrusted(peer)) {
      if (!isWarned)
        log('warn', 'X-Forwarded-For ignored: if this peer is your proxy, set TRUSTED_PROXIES', { peer });
      isWarned = true;
      return peer;
    }
    let client = peer;
    for (const entry of forwardedFor.split(',').reverse()) {
      const address = withoutPort(entry.trim());
      if (!isIP(address) || address.includes('%')) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client;
  };
}

/** Handles `192.0.2.1:4000`, `[2001:db8::1]:4000` and `[2001:db8::1]`. */
function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}
