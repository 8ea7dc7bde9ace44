import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freshGateway, type TestGateway, type TestOptions } from '../support/gateway.ts';
import type { Fault } from '../support/rest-service.mjs';
import { createTestTelemetry, sampleOf } from '../support/telemetry.ts';
import { DEBTORS, fetchExport, manyDebtors } from './support.ts';

const DATA = manyDebtors(700);
const HANG: Fault = { kind: 'hang', times: 9 };

const throwing: Plugin = {
  onExecute({ executeFn, setExecuteFn }) {
    setExecuteFn(async (args) => {
      const pages: AsyncIterable<ExecutionResult> = await executeFn(args);
      return (async function* () {
        for await (const page of pages) {
          yield page;
          throw new Error('fault');
        }
      })();
    });
  },
};

interface Ending {
  readonly options?: TestOptions['gateway'];
  readonly fault?: Fault;
  act?(gateway: TestGateway, leave: () => void): unknown;
  readonly codes: readonly string[];
  readonly level?: string;
}

const ENDINGS: { readonly [ending: string]: Ending } = {
  complete: { codes: [] },
  'failed by the REST service': { fault: { kind: 'status', status: 401 }, codes: ['UNAUTHENTICATED'] },
  canceled: { fault: HANG, act: (_gateway, leave) => leave(), codes: ['CLIENT_CLOSED_REQUEST'] },
  // The first page has arrived by then, however busy the machine is.
  'longer than its timeout': {
    options: { requestTimeoutMs: 1, exportTimeoutMs: 1_000 },
    fault: HANG,
    codes: ['UPSTREAM_TIMEOUT'],
    level: 'warn',
  },
  'cut at shutdown': {
    fault: HANG,
    act: (gateway) => gateway.close(),
    codes: ['CUT_AT_SHUTDOWN'],
    level: 'warn',
  },
  'failed by a bug': { options: { plugins: [throwing] }, codes: ['INTERNAL_SERVER_ERROR'], level: 'error' },
};

test.each(Object.entries(ENDINGS))('an export that is %s is logged once', async (_name, ending) => {
  const { options, fault, act, codes, level = 'info' } = ending;
  const observed = createTestTelemetry();
  const { gateway, handler } = observed.options;
  const running = await freshGateway({
    rest: { data: DATA },
    gateway: { ...gateway, ...options },
    handler,
  });
  running.rest.misbehave({ kind: 'rewrite', rewrite: (body) => body });
  if (fault) running.rest.misbehave(fault);
  const leaving = new AbortController();
  const response = await fetchExport(running, 'csv', DEBTORS, { signal: leaving.signal });
  const read = response.text().catch(() => '');
  if (act) await eventually(() => expect(running.rest.calls).toHaveLength(2));
  await act?.(running, () => leaving.abort());
  await read;
  if (act) await eventually(() => expect(running.rest.calls[1]?.aborted).toBe(true));
  const named = (name: string) => observed.lines().filter(({ message }) => message === name);
  await eventually(() => expect(named('operation')).not.toEqual([]));
  // A second report would have arrived by then.
  await running.close();
  const exportedRows = codes.length === 0 ? 700 : 500;
  expect(named('operation')).toMatchObject([{ level, codes, status: 200, format: 'csv', exportedRows }]);
  expect(named('unexpected error')).toHaveLength(level === 'error' ? 1 : 0);
  const [outcome = 'OK'] = codes;
  const metrics = observed.exposition();
  expect(sampleOf(metrics, `receivables_operations_total{type="query",outcome="${outcome}"}`)).toBe(1);
  expect(sampleOf(metrics, 'receivables_exported_rows_total{format="csv"}')).toBe(exportedRows);
});
