import { type DocumentNode, type ExecutionArgs, type ExecutionResult, OperationTypeNode } from 'graphql';
import type { Context } from '../context.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import type { CallRecord } from '../rest/call-record.ts';
import type { Place } from '../rest/memory.ts';
import { placeForMade } from '../rest/session.ts';

/** A longer name would cost more than it saves. */
const LONGEST_NAME = 4_000;

/** `data` of an answer that has been written out: its JSON in pieces. */
export class WrittenData {
  [member: string]: unknown;
  readonly pieces: readonly string[];

  constructor(pieces: readonly string[]) {
    this.pieces = pieces;
  }
}

/** An answer that was written before, and what it took. */
export class KeptAnswer {
  readonly data: WrittenData;
  readonly calls: readonly CallRecord[];
  readonly estimatedCalls: number;

  constructor(data: WrittenData, calls: readonly CallRecord[], estimatedCalls: number) {
    this.data = data;
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
  const json = JSON.stringify(result.data);
  const made = new KeptAnswer(new WrittenData([json]), [...calls], estimatedCalls);
  // Its calls count as well: each holds what it asked for, which may be as long as a URL gets.
  const bytes = json.length + JSON.stringify(calls).length;
  place.remember({ made, fields: {}, bytes }, freshUntil);
  return { ...result, data: made.data };
}
