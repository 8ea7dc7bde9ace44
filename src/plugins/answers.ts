import { type DocumentNode, type ExecutionArgs, type ExecutionResult, OperationTypeNode } from 'graphql';
import type { Context } from '../context.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import type { Place } from '../rest/memory.ts';
import { type CallRecord, placeForMade } from '../rest/session.ts';

/** A longer name would cost more than it saves. */
const LONGEST_NAME = 4_000;

/** `data` of an answer that has been written out, and what it took. */
export class WrittenData {
  [member: string]: unknown;
  readonly json: string;
  readonly calls: readonly CallRecord[];
  readonly estimatedCalls: number;

  constructor(json: string, calls: readonly CallRecord[], estimatedCalls: number) {
    this.json = json;
    this.calls = calls;
    this.estimatedCalls = estimatedCalls;
  }
}

const names = new WeakMap<DocumentNode, number>();
let lastName = 0;

/** Where the answer to an operation of this caller is kept; nowhere for who wants it fresh. */
export function answerPlace(args: ExecutionArgs, { rest }: Context): Place | undefined {
  if (rest.fresh || !rest.memories.isKept) return undefined;
  let document = names.get(args.document);
  if (document === undefined) {
    lastName += 1;
    document = lastName;
    names.set(args.document, document);
  }
  const name = JSON.stringify([document, args.operationName, args.variableValues]);
  return name.length > LONGEST_NAME ? undefined : placeForMade(rest, name);
}

/**
 * Keeps an answer, written out, if everything in it is remembered anyway: then the next one like it needs no
 * execution. It is kept no longer than the first of what it was made of.
 */
export function keepAnswer(
  place: Place,
  { definition }: PlannedOperation,
  result: ExecutionResult,
  estimatedCalls: number,
  { calls, freshUntil }: Context['rest'],
): ExecutionResult {
  const isRemembered = calls.length > 0 && calls.every(({ source }) => source === 'cache');
  if (!isRemembered || result.errors || definition.operation !== OperationTypeNode.QUERY) return result;
  const made = new WrittenData(JSON.stringify(result.data), [...calls], estimatedCalls);
  // Its calls count as well: each holds what it asked for, which may be as long as a URL gets.
  const bytes = made.json.length + JSON.stringify(calls).length;
  place.remember({ made, fields: {}, bytes }, freshUntil);
  return { ...result, data: made };
}
