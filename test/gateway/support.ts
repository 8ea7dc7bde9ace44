import { expect } from 'vitest';
import type { Fault } from '../../src/demo/service.ts';
import type { Answer, TestGateway } from '../support/gateway.ts';

/** The codes of an answer's errors, in their order. */
export function codesOf({ errors = [] }: Answer<unknown>): string[] {
  return errors.map(({ extensions }) => extensions.code);
}

/** A refusal that never reached the REST service. */
export function expectRefused(gateway: TestGateway, answer: Answer<unknown>, code = 'BAD_USER_INPUT'): void {
  expect(codesOf(answer)).toEqual([code]);
  expect(gateway.calls()).toEqual([]);
}

export function present<T>(value: T | null | undefined): T {
  return value ?? expect.fail('there is no such value');
}

/** The debtors of one administration, as the REST service lists them. */
export function debtorsOf({ rest }: TestGateway, administrationId: string) {
  return rest.data.debtors.filter((debtor) => debtor.administration_id === administrationId);
}

export function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id);
}

/** `street_1` is `street1` in GraphQL. */
export function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A fault that changes the rows of a page, and nothing else of it. */
export function changeRows(change: (rows: readonly object[]) => readonly object[]): Fault {
  return changePage((page) => ({ ...page, data: change(page.data) }));
}

export interface RestPage {
  readonly data: readonly object[];
  readonly pagination?: object;
}

export function changePage(change: (page: RestPage) => object): Fault {
  return { kind: 'rewrite', rewrite: (body) => (isPage(body) ? change(body) : body) };
}

function isPage(body: unknown): body is RestPage {
  return typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data);
}
