import { connect } from 'node:net';
import { expect, onTestFinished, vi } from 'vitest';
import { isObject } from '../../src/rest/json.ts';
import { type Answer, BEARER, startGateway, type TestGateway, type TestOptions } from '../support/gateway.ts';

/** One REST call for a few debtors; another call for each number, since equal calls under way are shared. */
export function debtors(number = 0): string {
  return `{ debtors(administrationId: "1001", first: ${3 + number}) { nodes { internalId name } } }`;
}

export const DEBTORS = debtors();
export const PAYMENTS = '{ deletedPayments(administrationId: "1001", first: 1) { nodes { internalId } } }';

/** A gateway for one test alone: budgets and breakers remember what went before. */
export async function freshGateway(options: TestOptions = {}): Promise<TestGateway> {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

export function codesOf({ errors = [] }: Pick<Answer<unknown>, 'errors'>): string[] {
  return errors.map(({ extensions }) => extensions.code);
}

/** How long something took, in milliseconds, beside what it gave. */
export async function timed<T>(work: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const start = performance.now();
  const result = await work();
  return { result, milliseconds: performance.now() - start };
}

export function eventually(check: () => void | Promise<void>, timeout = 5000): Promise<void> {
  return vi.waitFor(check, { timeout, interval: 10 });
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Posts an operation and leaves as soon as the REST service has been called. */
export async function leaveDuring(gateway: TestGateway, query: string, headers = BEARER): Promise<void> {
  const before = gateway.rest.calls.length;
  const controller = new AbortController();
  const left = fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
    signal: controller.signal,
  }).then(
    () => 'stayed',
    () => 'left',
  );
  await eventually(() => expect(gateway.rest.calls.length).toBeGreaterThan(before));
  controller.abort();
  expect(await left).toBe('left');
}

/** An operation as it travels, for tests that write to a socket themselves. */
export function postOf(query: string, headers: Readonly<Record<string, string>> = BEARER): string {
  const body = JSON.stringify({ query });
  const lines = Object.entries({
    host: 'x',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /graphql HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** What a server says to bytes that no HTTP client would send, until it closes the connection. */
export function exchange(
  url: string,
  bytes: string,
): Promise<{ status: number; text: string; milliseconds: number }> {
  const start = performance.now();
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
      resolve({ status: Number(status), text, milliseconds: performance.now() - start });
    });
  });
}

/** A rewrite of the rows of a page, for the service to break its promises with. */
export function rewriteRows(
  change: (row: { readonly [name: string]: unknown }, index: number) => unknown,
): (body: unknown) => unknown {
  return (body) => {
    if (!isObject(body) || !Array.isArray(body.data)) return body;
    return {
      ...body,
      data: body.data.map((row, index) => (isObject(row) ? change(row, index) : row)),
    };
  };
}
