import { type DocumentNode, type ExecutionArgs, type ExecutionResult, OperationTypeNode } from 'graphql';
import type { Context } from '../context.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import type { CallRecord } from '../rest/call-record.ts';
import type { Place } from '../rest/entries.ts';
import { placeForMade } from '../rest/session.ts';
import { KeptForms } from './kept-forms.ts';

/** A longer name would cost more than it saves. */
const LONGEST_NAME = 4_000;

/** `data` of an answer that has been written out: its JSON in pieces. */
export class WrittenData {
  [member: string]: unknown;
  readonly pieces: readonly string[];
  /** Of an answer that is kept. */
  readonly forms: KeptForms | undefined;

  constructor(pieces: readonly string[], forms?: KeptForms) {
    this.pieces = pieces;
    this.forms = forms;
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
  { calls, freshUntil }: Pick<Context['rest'], 'calls' | 'freshUntil'>,
): ExecutionResult {
  const isRemembered = calls.length > 0 && calls.every(({ source }) => source === 'cache');
  if (!isRemembered || result.errors || definition.operation !== OperationTypeNode.QUERY) return result;
  const json = JSON.stringify(result.data);
  // Its calls count as well: each holds what it asked for, which may be as long as a URL gets.
  let bytes = json.length + JSON.stringify(calls).length;
  const remember = () => place.remember({ made, fields: {}, bytes }, freshUntil);
  // So do its compressed forms, as they are made.
  const forms = new KeptForms((more) => {
    bytes += more;
    remember();
  });
  const made = new KeptAnswer(new WrittenData([json], forms), [...calls], estimatedCalls);
  remember();
  return { ...result, data: made.data };
}
