import type { Environment } from '../config/index.ts';
import { UsageError } from './usage-error.ts';

const DEFAULT_URL = 'http://localhost:4000/graphql';

/** The gateway's endpoint: that of the command line, or else of the environment. */
export function readGatewayUrl(given: string | undefined, env: Environment): URL {
  const text = given ?? (env.RECEIVABLES_URL || DEFAULT_URL);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new UsageError(`--url takes the address of a gateway, such as ${DEFAULT_URL}`);
  url.hash = '';
  return url;
}

/** Whether others on the way can read what is sent there. */
export function isReadableByOthers({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
