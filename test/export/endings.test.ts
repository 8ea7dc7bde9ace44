import type { Socket } from 'node:net';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  ADMINISTRATION,
  BEARER,
  freshGateway,
  type TestGateway,
  type TestOptions,
} from '../support/gateway.ts';
import { openConnection } from '../support/sockets.ts';
import { createTestTelemetry, sampleOf } from '../support/telemetry.ts';
import { times } from '../support/times.ts';
import { DEBTORS, manyDebtors } from './support.ts';

const DATA = manyDebtors(1_200);
const WIDE = `{ debtors(administrationId: "${ADMINISTRATION}") { nodes { ${times(20, (index) => `a${index}: name`).join(' ')} } } }`;

const requestFor = (format: string, query: string) =>
  `GET /graphql.${format}?query=${encodeURIComponent(query)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
  `X-Request-Id: ${format}\r\nAuthorization: ${BEARER.authorization}\r\n\r\n`;

interface Ending {
  readonly options?: TestOptions;
  readonly query?: string;
  /** Whether nothing of the response is read. */
  readonly isUnread?: boolean;
  /** What the REST service does with the first calls. */
  prepare?(gateway: TestGateway): void;
  /** What happens while the export is under way. */
  act?(gateway: TestGateway, socket: Socket): Promise<void>;
  readonly codes: readonly string[];
  readonly level?: string;
  /** Whether the cause is logged. */
  readonly isFault?: boolean;
}

const failSecondPage =
  (fault: Parameters<TestGateway['rest']['misbehave']>[0]) =>
  ({ rest }: TestGateway) => {
    rest.misbehave({ kind: 'rewrite', rewrite: (body) => body });
    rest.misbehave(fault);
  };
const LONG = 800;
/** Rows with a name of this length. */
const withNames = (length: number) => (body: unknown) =>
  JSON.parse(JSON.stringify(body).replaceAll('"name":"', `"name":"${'x'.repeat(length)}`));
/** Pages that no buffer of the system holds. */
const widen = ({ rest }: TestGateway) =>
  rest.misbehave({ kind: 'rewrite', times: 9, rewrite: withNames(LONG) });
const hang = failSecondPage({ kind: 'hang', times: 9 });
const untilCalled = (calls: number, { rest }: TestGateway) =>
  eventually(() => expect(rest.calls.length).toBeGreaterThanOrEqual(calls));

/** Lets the second page throw. */
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

const LEFT = { codes: ['CLIENT_CLOSED_REQUEST'] };
const CUT = { codes: ['CUT_AT_SHUTDOWN'], level: 'warn' };

const ENDINGS: { readonly [ending: string]: Ending } = {
  whole: { codes: [] },
  'failed at its service': {
    prepare: failSecondPage({ kind: 'status', status: 401 }),
    codes: ['UNAUTHENTICATED'],
  },
  'left while its service is waited for': {
    ...LEFT,
    prepare: hang,
    act: async (gateway, socket) => {
      await untilCalled(2, gateway);
      socket.destroy();
    },
  },
  'cut because its reader stalls': {
    ...LEFT,
    options: { listen: { stalledMs: 40 } },
    query: WIDE,
    prepare: widen,
    isUnread: true,
  },
  'over its deadline': {
    // By then its first page has come, however busy the machine is.
    options: { gateway: { exportTimeoutMs: 1_000 } },
    prepare: hang,
    codes: ['UPSTREAM_TIMEOUT'],
    level: 'warn',
  },
  'cut at shutdown while its service is waited for': {
    ...CUT,
    prepare: hang,
    act: (gateway) => untilCalled(2, gateway).then(() => gateway.close()),
  },
  'failed by a fault': {
    options: { gateway: { plugins: [throwing] } },
    codes: ['INTERNAL_SERVER_ERROR'],
    level: 'error',
    isFault: true,
  },
};

test.each(Object.entries(ENDINGS))('an export that is %s is told once', async (_name, ending) => {
  const formats = ending.isUnread ? (['csv'] as const) : (['csv', 'ndjson'] as const);
  await Promise.all(formats.map((format) => expectToldOnce(format, ending)));
});

async function expectToldOnce(format: 'csv' | 'ndjson', ending: Ending): Promise<void> {
  const { options = {}, query = DEBTORS, isUnread, prepare, act, codes, level = 'info' } = ending;
  const observed = createTestTelemetry();
  const { gateway, handler } = observed.options;
  const running = await freshGateway({
    ...options,
    rest: { data: DATA },
    gateway: { ...gateway, ...options.gateway },
    handler,
  });
  prepare?.(running);
  const { socket } = await openConnection(running.url);
  if (isUnread) socket.pause();
  socket.write(requestFor(format, query));
  await act?.(running, socket);
  const named = (name: string) => {
    observed.telemetry.flush();
    return observed.lines().filter(({ message }) => message === name);
  };
  await eventually(() => expect(named('operation')).not.toEqual([]));
  // What is told twice would be told by then.
  await running.close();
  const [line] = named('operation');
  expect(named('operation')).toMatchObject([{ requestId: format, level, codes, status: 200, format }]);
  // A call may be aborted on its way.
  expect(line?.restCalls).toBeGreaterThanOrEqual(running.rest.calls.length);
  expect(named('unexpected error')).toHaveLength(ending.isFault ? 1 : 0);
  const [outcome = 'OK'] = codes;
  const metrics = observed.exposition();
  expect(sampleOf(metrics, `receivables_operations_total{type="query",outcome="${outcome}"}`)).toBe(1);
  expect(sampleOf(metrics, `receivables_exported_rows_total{format="${format}"}`)).toBe(line?.exportedRows);
}
