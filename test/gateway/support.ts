import { expect } from 'vitest';
import { codesOf } from '../support/answers.ts';
import type { Answer, TestGateway } from '../support/gateway.ts';

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
