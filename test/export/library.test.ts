import { createServer } from 'node:http';
import { parse } from 'csv-parse/sync';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLibrary } from '../library/support.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { listen } from '../support/resources.ts';
import { linesIn } from './support.ts';

const DEBTORS = `{ debtors(administrationId: "${ADMINISTRATION}") { nodes { internalId name } } }`;

async function library(...given: Parameters<typeof startLibrary>) {
  const started = await startLibrary(...given);
  onTestFinished(started.close);
  const post = (path: string, query = DEBTORS, headers: Readonly<Record<string, string>> = BEARER) =>
    started.gateway.fetch(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
  return { ...started, post };
}

describe('a gateway in another server', () => {
  test('exports at its own endpoint, by POST and GET', async () => {
    const { gateway, post, rest } = await library({ graphqlEndpoint: '/api' });
    const count = rest.data.debtors.filter((row) => row.administration_id === ADMINISTRATION).length;
    expect(parse(await (await post('/api.csv')).text())).toHaveLength(count + 1);
    expect((await post('/graphql.csv')).status).toBe(404);
    const url = `http://localhost/api.ndjson?query=${encodeURIComponent(DEBTORS)}`;
    const got = await gateway.fetch(url, { headers: BEARER });
    expect(linesIn(await got.text()).at(-1)).toEqual({ end: true, rows: count });
    expect(gateway.stats()).toMatchObject({
      exportsInFlight: 0,
      operationsInFlight: 0,
      memory: { operations: 0 },
    });
  });

  test('counts the bytes of an export by page, and ends an export that nobody reads', async () => {
    const { gateway, post } = await library({ exportTimeoutMs: 2_000 });
    const response = await post('/graphql.csv');
    expect(response.status).toBe(200);
    expect(gateway.stats().exportsInFlight).toBe(1);
    expect(gateway.stats().memory.operations).toBeGreaterThan(10_000);
    await eventually(() =>
      expect(gateway.stats()).toMatchObject({ exportsInFlight: 0, memory: { operations: 0 } }),
    );
  });

  test('keeps at most two pages of an export in memory, however long the list is', async () => {
    const { gateway, post } = await library();
    const held = async (query: string) => {
      const response = await post('/graphql.csv', query);
      let most = gateway.stats().memory.operations ?? 0;
      for await (const _chunk of response.body ?? [])
        most = Math.max(most, gateway.stats().memory.operations ?? 0);
      return most;
    };
    const onePage = await held(DEBTORS.replace('1001"', '1001", first: 500'));
    expect(onePage).toBeGreaterThan(10_000);
    expect(await held(DEBTORS)).toBeLessThan(2.5 * onePage);
  });

  test('does not cache the pages of an export, which would evict all others', async () => {
    const { post, rest, gateway } = await library();
    await (await post('/graphql.csv')).text();
    expect(gateway.stats().caches).toMatchObject({ rest: { entries: 0 } });
    rest.calls.length = 0;
    await (await post('/graphql', DEBTORS.replace('1001"', '1001", first: 500'))).text();
    expect(rest.calls).toHaveLength(1);
  });

  test('breaks the connection if a CSV export fails, also when Yoga itself sends the response', async () => {
    const { gateway, rest } = await library();
    const port = await listen(createServer(gateway));
    rest.misbehave({ kind: 'rewrite', rewrite: (body) => body });
    rest.misbehave({ kind: 'status', status: 401 });
    const url = `http://127.0.0.1:${port}/graphql.csv?query=${encodeURIComponent(DEBTORS)}`;
    const response = await fetch(url, { headers: BEARER });
    await expect(response.text()).rejects.toThrow();
    await eventually(() => expect(gateway.stats().exportsInFlight).toBe(0));
  });
});

/** A plugin as its types have it. */
type UserPlugin = Plugin<{ readonly params: { readonly query?: string } }>;

describe('a plugin of a user', () => {
  test('sees an export as one operation and can change each page', async () => {
    const seen: string[] = [];
    const hide: UserPlugin = {
      onParams: () => void seen.push('params'),
      onExecute({ context }) {
        seen.push(`execute ${context.params.query?.length}`);
        return {
          onExecuteDone: () => ({
            onNext({ result, setResult }) {
              seen.push('page');
              const { debtors } = JSON.parse(JSON.stringify(result.data));
              for (const node of debtors.nodes) node.name = 'hidden';
              setResult({ ...result, data: { debtors } });
            },
            onEnd: () => void seen.push('end'),
          }),
        };
      },
    };
    const { post } = await library({ plugins: [hide] });
    const rows: string[][] = parse(await (await post('/graphql.csv')).text());
    expect(new Set(rows.slice(1).map(([, name]) => name))).toEqual(new Set(['hidden']));
    const pages = Math.ceil((rows.length - 1) / 500);
    expect(seen).toEqual(['params', `execute ${DEBTORS.length}`, ...Array(pages).fill('page'), 'end']);
  });

  test('can respond itself, which is an error for an export', async () => {
    const answer: UserPlugin = {
      onExecute: ({ setResultAndStopExecution }) => setResultAndStopExecution({ data: { debtors: null } }),
    };
    const { post } = await library({ plugins: [answer] });
    const response = await post('/graphql.csv');
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('Request JSON')]);
  });
});
