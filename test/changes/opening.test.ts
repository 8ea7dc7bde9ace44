import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { eventsIn } from '../streams/support.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { startDemoService } from '../support/rest-service.mjs';

test('a stream that is being opened is told that the gateway stops', async () => {
  const rest = await startDemoService();
  const logged: string[] = [];
  const gateway = createGateway({
    ...readConfig({}, []),
    restUrl: new URL(rest.url),
    log: (_level, message) => void logged.push(message),
  });
  onTestFinished(async () => {
    await gateway.dispose();
    await rest.close();
  });
  rest.misbehave({ kind: 'hang', times: 10, match: { path: '/v1/debtors' } });
  const query = `subscription { changes(administrationId: "${ADMINISTRATION}", kinds: [DEBTOR_CHANGED]) { eventId } }`;
  const opening = gateway.fetch(`http://gateway/graphql?${new URLSearchParams({ query })}`, {
    headers: { ...BEARER, accept: 'text/event-stream' },
  });
  await eventually(() => expect(rest.calls).toMatchObject([{ path: '/v1/debtors' }]));
  gateway.endSubscriptions(0);
  const text = await (await opening).text();
  expect(eventsIn(text)).toMatchObject([
    { event: 'next', data: { errors: [{ extensions: { code: 'SERVER_STOPPING', ends: true } }] } },
    { event: 'complete' },
  ]);
  expect(logged).toEqual([]);
});
