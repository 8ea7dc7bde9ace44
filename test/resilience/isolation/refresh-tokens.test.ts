import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../../src/demo/applications.ts';
import { codesOf } from '../../support/answers.ts';
import { disconnectDuring } from '../../support/disconnect.ts';
import { type Answer, BASIC, freshGateway, type TestGateway } from '../../support/gateway.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';

const OPERATION = {
  query: `mutation ($token: String!) {
    refreshAccessToken(input: { refreshToken: $token }) { token { accessToken refreshToken } }
  }`,
  variables: { token: demoCredentials.refreshToken },
};

const refresh = (gateway: TestGateway) => gateway.query(OPERATION.query, OPERATION.variables, BASIC);

/** Refreshes whose answers are held back until `release`, and the first of which disconnects meanwhile. */
async function disconnectFirst(gateway: TestGateway, meanwhile?: () => Promise<unknown>) {
  const { promise: until, resolve: release } = withResolver();
  gateway.rest.misbehave({ kind: 'stale', until });
  await disconnectDuring(gateway, OPERATION, BASIC, meanwhile);
  // Answered once the gateway has seen the disconnect.
  await gateway.query('{ __typename }');
  return { release };
}

/** Two who refresh at the same time, and two applications, are in test/gateway/tokens.test.ts. */
describe('a refresh token works once, so a refresh that has begun is completed', () => {
  test('for those who sent it at the same time, though the first disconnects', async () => {
    const gateway = await freshGateway();
    let followers: Promise<Answer<unknown>>[] = [];
    const { release } = await disconnectFirst(gateway, () => {
      followers = times(2, () => refresh(gateway));
      // Answered after those before it have been admitted.
      return gateway.query('{ __typename }');
    });
    release();
    const answers = await Promise.all(followers);
    expect(answers.flatMap(codesOf)).toEqual([]);
    expect(gateway.rest.calls).toMatchObject([{ path: '/oauth/token', status: 200, aborted: false }]);
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  });

  test('for a client that disconnects and sends it again', async () => {
    const gateway = await freshGateway();
    const { release } = await disconnectFirst(gateway);
    const again = refresh(gateway);
    // Answered after the one before it has been admitted.
    await gateway.query('{ __typename }');
    release();
    const answer = await again;
    expect(codesOf(answer)).toEqual([]);
    expect(answer.text).toContain('"refreshToken":"demo-refresh-token-2"');
    expect(gateway.rest.calls).toHaveLength(1);
  });
});
