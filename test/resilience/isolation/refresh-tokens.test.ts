import { expect, test } from 'vitest';
import { demoCredentials } from '../../../src/demo/applications.ts';
import { codesOf } from '../../support/answers.ts';
import { disconnectDuring } from '../../support/disconnect.ts';
import { BASIC, freshGateway, type QueryResult, type TestGateway } from '../../support/gateway.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';

const OPERATION = {
  query: `mutation ($token: String!) {
    refreshAccessToken(input: { refreshToken: $token }) { token { accessToken refreshToken } }
  }`,
  variables: { token: demoCredentials.refreshToken },
};

const refresh = (gateway: TestGateway) => gateway.query(OPERATION.query, OPERATION.variables, BASIC);

/** Two who refresh at the same time, and two applications, are in test/gateway/tokens.test.ts. */
test('a refresh completes after its client disconnects, for equal requests and for a retry', async () => {
  const gateway = await freshGateway();
  const { promise: until, resolve: release } = withResolver();
  gateway.rest.misbehave({ kind: 'stale', until });
  let followers: Promise<QueryResult<unknown>>[] = [];
  // Each of these is answered after those before it have been admitted, or their disconnect was seen.
  const settle = () => gateway.query('{ __typename }');
  await disconnectDuring(gateway, OPERATION, BASIC, () => {
    followers = times(2, () => refresh(gateway));
    return settle();
  });
  await settle();
  const again = refresh(gateway);
  await settle();
  release();
  const answers = await Promise.all([...followers, again]);
  expect(answers.flatMap(codesOf)).toEqual([]);
  expect(gateway.rest.calls).toMatchObject([{ path: '/oauth/token', status: 200, aborted: false }]);
  expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  expect(answers[0]?.text).toContain('"refreshToken":"demo-refresh-token-2"');
});
