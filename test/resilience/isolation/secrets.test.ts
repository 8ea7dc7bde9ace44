import { afterEach, describe, expect, test } from 'vitest';
import { demoCredentials } from '../../../src/demo/applications.ts';
import { BASIC, BEARER, BOTH, useGateway } from '../../support/gateway.ts';
import { DEBTORS, WRITES } from '../../support/operations.ts';
import type { Fault } from '../../support/rest-service.mjs';
import { createTestSpans, createTestTelemetry } from '../../support/telemetry.ts';

const spans = createTestSpans();
const observed = createTestTelemetry({ tracer: spans.tracer });
const gateway = await useGateway(observed.options);
/** Only a service that hangs needs a short timeout, which a busy machine would exceed otherwise. */
const impatient = await useGateway({
  ...observed.options,
  gateway: { ...observed.options.gateway, restTimeoutMs: 200 },
});
const { tokens, application } = demoCredentials;
const REFRESH_TOKEN = 'a-refresh-token-to-be-kept';
const ENCODED = BASIC.authorization.replace('Basic ', '');

const refreshing = (token: string) =>
  `mutation { refreshAccessToken(input: { refreshToken: "${token}" }) { token { tokenType } } }`;
const introspecting = (token: string) =>
  `mutation { introspectToken(input: { token: "${token}" }) { active } }`;
const OWN = [ENCODED, application.clientSecret];

/** Operations, the headers they come with, and the secrets that they make known to the service. */
const operations = [
  ['a read', DEBTORS, BEARER, [tokens.companyA]],
  ['a read with two spaces', DEBTORS, { authorization: `Bearer  ${tokens.companyA}` }, [tokens.companyA]],
  ['a read as an application', '{ companies { nodes { name } } }', BASIC, OWN],
  ['a viewer', '{ viewer { clientId } }', BOTH, [tokens.companyA, ...OWN]],
  ['a refresh', refreshing(REFRESH_TOKEN), BASIC, [REFRESH_TOKEN]],
  ['an introspection', introspecting(REFRESH_TOKEN), BASIC, [REFRESH_TOKEN]],
  ['a write', WRITES.unmarkTaskCompleted[0], BEARER, [tokens.companyA]],
] as const;

const quote = (secrets: readonly string[]) =>
  JSON.stringify({ code: secrets.join(' '), message: `I got ${secrets.join(', and:')}` });
const faults: Record<string, (secrets: readonly string[]) => Fault> = {
  'nothing goes wrong': () => ({ kind: 'rewrite', rewrite: (body) => body }),
  'the service quotes it in a 400': (secrets) => ({ kind: 'status', status: 400, body: quote(secrets) }),
  'the service quotes it in a 401': (secrets) => ({ kind: 'status', status: 401, body: quote(secrets) }),
  'the service quotes it in a 500': (secrets) => ({ kind: 'status', status: 500, body: quote(secrets) }),
  'the service quotes it in a page': (secrets) => ({ kind: 'body', body: quote(secrets) }),
  'the connection breaks': () => ({ kind: 'reset', times: 3 }),
  'the service hangs': () => ({ kind: 'hang' }),
};

describe.each(Object.entries(faults))('if %s, no secret', (what, faultWith) => {
  const { rest, query: send } = what === 'the service hangs' ? impatient : gateway;
  afterEach(() => rest.behave());

  test.each(operations)('appears in the response to %s', async (_name, query, headers, secrets) => {
    rest.misbehave(faultWith(secrets));
    const answer = await send(query, {}, { ...headers, 'x-explain': 'true' });
    const shown = [answer.text, ...[...answer.headers].flat()].join('\n');
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
    expect(rest.calls.length).toBeGreaterThan(0);
  });
});

test.each([400, 401, 403, 404, 409, 422, 429])('an error hides the quoted secret (%i)', async (status) => {
  const body = JSON.stringify({
    code: `bad ${tokens.companyA}`,
    message: `The token ${tokens.companyA} is bad.`,
  });
  gateway.rest.misbehave({ kind: 'status', status, body });
  const { text, errors } = await gateway.query(DEBTORS, {}, { ...BEARER, 'x-explain': 'true' });
  const upstream = { status, code: 'bad [secret]', message: 'The token [secret] is bad.' };
  expect(errors).toMatchObject([{ extensions: { upstream } }]);
  expect(text).not.toContain(tokens.companyA);
});

test('the log, the metrics and the spans of these tests contain no secret', () => {
  const shown = [observed.text(), observed.exposition(), spans.text()].join('\n');
  const secrets = operations.flatMap(([, , , known]): readonly string[] => known);
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  expect(observed.lines().length).toBeGreaterThan(50);
  expect(spans.text()).toContain('POST /oauth/token');
});
