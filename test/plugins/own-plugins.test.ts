import { createSchema, createYoga, type Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { withOwnPlugins } from '../../src/gateway/own-plugins.ts';

const STAGES = [
  'onRequest',
  'onRequestParse',
  'onParams',
  'onExecutionResult',
  'onResultProcess',
  'onResponse',
];

const schema = createSchema({ typeDefs: 'type Query { a: String }' });

/** Tells which hooks ran; each of them may do something before. */
function named(name: string, ran: string[], hooks: Plugin = {}): Plugin {
  return Object.fromEntries(
    STAGES.map((hook) => [
      hook,
      (payload: never) => {
        ran.push(`${hook} ${name}`);
        const own: ((payload: never) => unknown) | undefined = Reflect.get(hooks, hook);
        return own?.(payload);
      },
    ]),
  );
}

/** Takes every request as one operation, as the gateway does. */
const parsing: Plugin = {
  onRequestParse({ setRequestParser }) {
    setRequestParser(() => ({ query: '{ a }' }));
  },
};

function ask(plugins: object[]): Promise<Response> | Response {
  const yoga = createYoga({ schema, plugins, logging: false });
  return yoga.fetch('http://localhost/graphql', { method: 'POST', body: 'no JSON' });
}

const own = (...plugins: Plugin[]): never[] => plugins.map((plugin): never => plugin as never);

test.each([0, 1])('hooks run in the order of their plugins, with %i of a user among them', async (users) => {
  const ran: string[] = [];
  const given = users ? [named('user', ran)] : [];
  await ask(
    withOwnPlugins(own(named('first', ran, parsing), named('second', ran)), given, own(named('last', ran))),
  );
  const order = users ? ['first', 'second', 'user', 'last'] : ['first', 'second', 'last'];
  expect(ran).toEqual(STAGES.flatMap((hook) => order.map((name) => `${hook} ${name}`)));
});

test.each([
  ['at once', () => undefined],
  ['later', () => Promise.resolve()],
])('a response that is given %s ends it: no other hook sees the request', async (_when, wait) => {
  const ran: string[] = [];
  const ending: Plugin = {
    onRequest({ endResponse, fetchAPI }) {
      const end = () => endResponse(new fetchAPI.Response('over', { status: 418 }));
      return wait()?.then(end) ?? end();
    },
  };
  const response = await ask(withOwnPlugins(own(named('first', ran, ending), named('second', ran)), [], []));
  expect(response.status).toBe(418);
  expect(ran).toEqual(['onRequest first', 'onResponse first', 'onResponse second']);
});

test('what one sets is what the next one sees', async () => {
  const seen: unknown[] = [];
  const setting: Plugin = {
    onParams: ({ params, setParams }) => setParams({ ...params, query: '{ b: a }' }),
    onResultProcess: ({ setResult }) => setResult({ data: { set: true } }),
  };
  const seeing: Plugin = {
    onParams: ({ params }) => void seen.push(params.query),
    onResultProcess: ({ result }) => void seen.push(result),
  };
  await ask(withOwnPlugins(own(parsing, setting, seeing), [], []));
  expect(seen).toEqual(['{ b: a }', { data: { set: true } }]);
});

test('a handler that one puts around the request is around what the next one asks for', async () => {
  const wrapping: Plugin = {
    onRequest({ requestHandler, setRequestHandler }) {
      setRequestHandler(async (request, context) => {
        const response = await requestHandler(request, context);
        response.headers.set('x-wrapped', 'yes');
        return response;
      });
    },
  };
  const asking: Plugin = {
    onRequest: async ({ request, serverContext, requestHandler, endResponse }) =>
      endResponse(await requestHandler(request, serverContext)),
  };
  const response = await ask(withOwnPlugins(own(parsing, wrapping, asking), [], []));
  expect(response.headers.get('x-wrapped')).toBe('yes');
});

// No request is sent there.
const OPTIONS = { ...readConfig({}, []), restUrl: new URL('http://127.0.0.1:9') };

/** How many plugins Yoga calls at each stage. */
function hookCounts(gateway: object): Record<string, number> {
  const plugins: readonly object[] = Reflect.get(gateway, 'plugins');
  const stages = [...STAGES, 'onParse', 'onValidate', 'onExecute'];
  return Object.fromEntries(
    stages.map((stage) => [stage, plugins.filter((plugin) => Boolean(Reflect.get(plugin, stage))).length]),
  );
}

test('of a gateway without plugins of users, Yoga calls one hook at each stage', () => {
  const { onExecutionResult, ...counts } = hookCounts(createGateway(OPTIONS));
  expect(onExecutionResult).toBe(0);
  expect(new Set(Object.values(counts))).toEqual(new Set([1]));
});

test('around the plugin of a user, it calls one before and one behind', () => {
  const user: Plugin = { onResultProcess() {}, onExecute() {} };
  const { onResultProcess, onExecute } = hookCounts(createGateway({ ...OPTIONS, plugins: [user] }));
  expect({ onResultProcess, onExecute }).toEqual({ onResultProcess: 3, onExecute: 3 });
});
