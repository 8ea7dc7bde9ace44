import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { eventsIn, StreamReader } from '../streams/support.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { startDemoService } from '../support/rest-service.mjs';

const LINES = '/v1/health_care/declaration_lines';

/** A stream of two kinds: the debtors are read at once, and for the declaration lines it waits. */
async function openTwoKinds(environment: Record<string, string> = {}) {
  const rest = await startDemoService();
  const logged: string[] = [];
  const gateway = createGateway({
    ...readConfig({ CHANGES_POLL_MS: '100', ...environment }, []),
    restUrl: new URL(rest.url),
    log: (_level, message) => void logged.push(message),
  });
  onTestFinished(async () => {
    await gateway.dispose();
    await rest.close();
  });
  rest.misbehave({ kind: 'hang', times: 10, match: { path: LINES } });
  const query = `subscription { changes(administrationId: "${ADMINISTRATION}", kinds: [DEBTOR_CHANGED, DECLARATION_LINE_CHANGED]) { eventId } }`;
  const opening = gateway.fetch(`http://gateway/graphql?${new URLSearchParams({ query })}`, {
    headers: { ...BEARER, accept: 'text/event-stream' },
  });
  await eventually(() => expect(rest.calls.map(({ path }) => path)).toContain(LINES));
  return { rest, gateway, opening, logged };
}

test('a stream that is still opening when the gateway stops is rejected without a cursor', async () => {
  const { gateway, opening, logged } = await openTwoKinds();
  gateway.state.endSubscriptions(0);
  const response = await opening;
  expect(response.status).toBe(503);
  const { errors } = await response.json();
  expect(errors).toMatchObject([{ extensions: { code: 'SERVER_STOPPING' } }]);
  expect(errors[0].extensions).not.toHaveProperty('cursor');
  expect(logged).toEqual([]);
});

test('a stream is rejected if there is no memory for it', async () => {
  const rest = await startDemoService();
  const config = { ...readConfig({}, []), restUrl: new URL(rest.url), log: () => {} };
  const gateway = createGateway(config, { memory: { operationBytes: 200_000, cacheBytes: 1 } });
  onTestFinished(async () => {
    await gateway.dispose();
    await rest.close();
  });
  const query = `subscription { changes(administrationId: "${ADMINISTRATION}", kinds: [DEBTOR_CHANGED]) { eventId } }`;
  const open = () =>
    gateway.fetch(`http://gateway/graphql?${new URLSearchParams({ query })}`, {
      headers: { ...BEARER, accept: 'text/event-stream' },
    });
  let response = await open();
  for (let count = 1; response.ok && count < 10; count += 1) {
    const reader = new StreamReader(response);
    onTestFinished(() => reader.cancel());
    expect(await reader.until(':')).not.toBe('');
    response = await open();
  }
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'OVERLOADED' } }] });
});

test('a stream that cannot be opened reports its own error, not that of another kind', async () => {
  const { rest, opening } = await openTwoKinds({ REST_TIMEOUT_MS: '1000' });
  await eventually(() => expect(rest.calls.map(({ path }) => path)).toContain('/v1/debtors'));
  rest.misbehave({ kind: 'status', status: 500, times: 20, match: { path: '/v1/debtors' } });
  const text = await (await opening).text();
  const [next, end] = eventsIn(text);
  expect(next).toMatchObject({ data: { errors: [{ extensions: { code: 'UPSTREAM_TIMEOUT' } }] } });
  expect(end).toMatchObject({ event: 'complete' });
  expect(text).not.toMatch(/goes on|"cursor"/);
});
