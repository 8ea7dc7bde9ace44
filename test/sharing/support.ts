import { expect, onTestFinished } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import type { GatewayOptions } from '../../src/gateway/gateway.ts';
import { eventually } from '../support/eventually.ts';
import { BASIC, startGateway, type TestGateway } from '../support/gateway.ts';
import type { DemoService } from '../support/rest-service.mjs';

export const SECRET = 'a secret of at least 32 characters';

export interface Replica extends TestGateway {
  readonly states: string[];
  /** Waits for the next state after those seen so far. */
  reaches(state: string): Promise<void>;
}

export async function startReplica(
  redisUrl: string,
  options: Partial<GatewayOptions> = {},
  rest?: DemoService,
): Promise<Replica> {
  const states: string[] = [];
  const gateway = await startGateway({
    gateway: {
      ...(rest && { restUrl: new URL(rest.url) }),
      // So long that a busy machine does not make Redis look lost.
      sharing: { redisUrl, secret: SECRET, deadlineMs: 10_000 },
      log(_level, message, { reason } = {}) {
        const [, state = ''] = /^redis (.*)/.exec(message) ?? [];
        if (state) states.push(reason === undefined ? state : `${state}: ${reason}`);
      },
      ...options,
    },
  });
  onTestFinished(() => gateway.close());
  return {
    ...gateway,
    states,
    reaches: (state) => eventually(() => expect(states.at(-1)).toMatch(new RegExp(`^${state}`))),
  };
}

export async function startReplicas(redisUrl: string, options: Partial<GatewayOptions> = {}) {
  const a = await startReplica(redisUrl, options);
  // A new replica makes the others drop their caches, which must not happen during a test.
  await a.reaches('connected');
  const b = await startReplica(redisUrl, options, a.rest);
  await b.reaches('connected');
  return { a, b, rest: a.rest };
}

export function refresh(
  gateway: Pick<TestGateway, 'query'>,
  refreshToken: string = demoCredentials.refreshToken,
  headers = BASIC,
) {
  return gateway.query(
    `mutation ($refreshToken: String!) {
      refreshAccessToken(input: { refreshToken: $refreshToken }) { token { accessToken refreshToken } }
    }`,
    { refreshToken },
    headers,
  );
}

export function tokenCalls({ calls }: DemoService) {
  return calls.filter(({ path }) => path === '/oauth/token');
}
