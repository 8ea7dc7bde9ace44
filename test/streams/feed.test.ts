import { describe, expect, test } from 'vitest';
import type { Debtor } from '../../src/demo/data/records.ts';
import { ADMINISTRATION, freshGateway, postTo, type TestGateway } from '../support/gateway.ts';
import { changeDebtor } from '../support/rest-records.ts';
import { createTestTelemetry } from '../support/telemetry.ts';
import { times } from '../support/times.ts';
import { eventsIn, PARTS, partsIn, SSE, StreamReader } from './support.ts';

const changes = (selection: string, kinds = 'DEBTOR_CHANGED') =>
  `subscription Live { changes(administrationId: "${ADMINISTRATION}", kinds: [${kinds}]) { cursor eventId ${selection} } }`;
const DEBTORS = changes('... on DebtorChanged { debtor { internalId name } }');

const start = (gateway: object = {}) => freshGateway({ gateway: { changesPollMs: 100, ...gateway } });

const subscribe = ({ url }: TestGateway, headers: object = SSE, query = DEBTORS) =>
  postTo(url, query, headers);

function rename({ rest }: TestGateway, name: string, changes: Partial<Debtor> = {}): void {
  changeDebtor(rest, ADMINISTRATION, { name, ...changes });
}

interface Told {
  readonly data: { readonly changes: { readonly cursor: string; readonly debtor: object } } | null;
  readonly errors?: readonly { readonly extensions: { readonly cursor: string } }[];
}

describe('changes', () => {
  test.each([SSE, PARTS])('arrive with errors and an end (%j)', async (accepted) => {
    const running = await start();
    const reader = new StreamReader(await subscribe(running, accepted));
    rename(running, 'Ünï 😀');
    await reader.until('😀');
    running.rest.misbehave({ kind: 'body', body: '{}' });
    await reader.until('UPSTREAM_INVALID_RESPONSE');
    rename(running, 'Again');
    await reader.until('Again');
    running.rest.misbehave({ kind: 'status', status: 401, times: 9 });
    const text = await reader.toEnd();
    const results = JSON.parse(
      JSON.stringify(
        accepted === SSE
          ? eventsIn(text).map(({ data }) => data)
          : partsIn(text).map((part) => Object.entries(part ?? {})[0]?.[1] ?? ''),
      ),
    ).filter(Boolean);
    const debtorEvent = (name: string) => ({
      data: { changes: { debtor: { name }, cursor: expect.any(String), eventId: expect.any(String) } },
    });
    const failed = (code: string, ends: boolean) => ({
      data: null,
      errors: [
        {
          message: ends ? expect.any(String) : expect.stringContaining('The stream continues'),
          extensions: {
            ...{ code, ends, cursor: expect.any(String), requestId: expect.any(String) },
            ...(!ends && { retryAfter: 1 }),
          },
        },
      ],
    });
    expect(results).toMatchObject([
      debtorEvent('Ünï 😀'),
      failed('UPSTREAM_INVALID_RESPONSE', false),
      debtorEvent('Again'),
      failed('UNAUTHENTICATED', true),
    ]);
    if (accepted !== SSE) return;
    const cursors = results.map(
      ({ data, errors }: Told) => data?.changes.cursor ?? errors?.[0]?.extensions.cursor,
    );
    expect(eventsIn(text).map(({ id }) => id)).toEqual([...cursors, cursors.at(-1)]);
  });

  test.each([
    ['many values', { maxValues: 100 }, 'labels { name }', { labels: times(99, () => ({ name: 'Label' })) }],
    ['long texts', {}, times(80, (n) => `a${n}: remark`).join(' '), { remark: 'x'.repeat(30_000) }],
  ])('continue after one that has too %s to be sent', async (_what, options, selection, values) => {
    const running = await start(options);
    const query = changes(`... on DebtorChanged { debtor { name ${selection} } }`);
    const reader = new StreamReader(await subscribe(running, SSE, query));
    rename(running, 'Large', values);
    await reader.until('"errors"');
    rename(running, 'Small', { labels: [], remark: '' });
    expect(await reader.until('Small')).toContain('Small');
    const [large] = eventsIn(reader.text);
    expect(large?.data).toMatchObject({ errors: [{ extensions: { ends: false, cursor: large?.id } }] });
    await reader.cancel();
  });
});

test('a stopping gateway ends a stream with a code and a cursor', async () => {
  const telemetry = createTestTelemetry();
  const { gateway, handler } = telemetry.options;
  const running = await freshGateway({ gateway: { ...gateway, changesPollMs: 100 }, handler });
  const reader = new StreamReader(await subscribe(running));
  await reader.until(':');
  const [text] = await Promise.all([reader.toEnd(), running.drain()]);
  expect(eventsIn(text)).toMatchObject([
    {
      data: { errors: [{ extensions: { code: 'SERVER_STOPPING', ends: true, cursor: expect.any(String) } }] },
    },
    { event: 'complete' },
  ]);
  expect(telemetry.lines().filter(({ message }) => message === 'operation')).toMatchObject([
    { codes: ['SERVER_STOPPING'], endedBy: 'SERVER_STOPPING', stream: 'sse', events: 0 },
  ]);
});
