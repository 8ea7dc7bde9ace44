import { expect } from 'vitest';
import { codesOf } from '../support/answers.ts';
import type { Answer, TestGateway } from '../support/gateway.ts';

/** A refusal that never reached the REST service. */
export function expectRefused(gateway: TestGateway, answer: Answer<unknown>, code = 'BAD_USER_INPUT'): void {
  expect(codesOf(answer)).toEqual([code]);
  // Counted by the gateway itself: a call that was sent beside the error may not have arrived yet.
  expect(answer.extensions?.cost ?? { calls: 0 }).toMatchObject({ calls: 0 });
  expect(gateway.calls()).toEqual([]);
}

/** `street_1` is `street1` in GraphQL. */
export function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
