import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type DocumentNode, Kind, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { parseBounded } from '../../src/request/documents/limits.ts';
import { eventually } from '../support/eventually.ts';
import { BEARER, freshGateway } from '../support/gateway.ts';
import { changeRows } from '../support/rest-pages.ts';
import { openConnection } from '../support/sockets.ts';
import { SUBSCRIPTION } from './support.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** A gateway, and the contexts of its operations that are still in memory. */
async function watched() {
  const contexts: WeakRef<object>[] = [];
  const watch = ({ args }: { args: { contextValue?: unknown } }) =>
    void contexts.push(new WeakRef(Object(args.contextValue)));
  const plugin: Plugin = { onExecute: watch, onSubscribe: watch };
  const gateway = await freshGateway({ gateway: { plugins: [plugin] } });
  const inMemory = async () => {
    // What a WeakRef has given lives until the turn ends.
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
    return contexts.map((context) => context.deref() !== undefined);
  };
  return { gateway, contexts, inMemory };
}

const post = (body: string, accept: string) =>
  `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: ${accept}\r\nAccept-Encoding: gzip\r\n` +
  `Authorization: ${BEARER.authorization}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test('a compressed answer that is not read keeps nothing of its operation', async () => {
  const { gateway, contexts, inMemory } = await watched();
  // More than the buffers of the system hold, however well it is compressed.
  gateway.rest.misbehave(
    changeRows((rows) => rows.map((row) => ({ ...row, name: randomBytes(13_500).toString('base64') }))),
  );
  const query = '{ debtors(administrationId: "1001", first: 400) { nodes { name } } }';
  const { socket } = await openConnection(gateway.url);
  socket.pause();
  socket.write(post(JSON.stringify({ query }), 'application/json'));
  await eventually(() => expect(contexts).toHaveLength(1));
  await eventually(async () => expect(await inMemory()).toEqual([false]));
  let length = 0;
  socket.on('data', (bytes) => {
    length += bytes.length;
  });
  socket.resume();
  // All of it comes, so that it was under way all the time.
  await eventually(() => expect(length).toBeGreaterThan(5_000_000));
});

test('a stream that ends keeps nothing of its operation for those who follow the same changes', async () => {
  const { gateway, contexts, inMemory } = await watched();
  const open = async (count: number) => {
    const { socket } = await openConnection(
      gateway.url,
      post(JSON.stringify({ query: SUBSCRIPTION }), 'text/event-stream'),
    );
    await eventually(() => expect(contexts).toHaveLength(count));
    return socket;
  };
  const first = await open(1);
  await eventually(() => expect(gateway.rest.calls.length).toBeGreaterThan(0));
  await open(2);
  first.destroy();
  await eventually(async () => expect(await inMemory()).toEqual([false, true]));
});

test('a literal keeps nothing of its document, which is gone long before what is cached by it', () => {
  const literals: string[] = [];
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 100; index += 1) {
    const padding = '#'.padEnd(60_000, 'x');
    const document: DocumentNode = parseBounded(
      `{ node(id: "a literal of some length ${index}") { id } } ${padding}`,
    );
    visit(document, { [Kind.STRING]: { enter: ({ value }) => void literals.push(value) } });
  }
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000);
  expect(new Set(literals).size).toBe(100);
});
