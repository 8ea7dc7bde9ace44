import type { ExecutionResult } from 'graphql';
import { afterWrite, type Budget } from '../execution/budget.ts';
import type { TextCodec } from '../rest/wire-text.ts';

/**
 * The result of a mutation, within the length of a response: what is too long is left out root field by root field,
 * the longest first, each with an error. So what is short, such as a token that cannot be had again, is always told.
 */
export function fitMutation(
  result: ExecutionResult,
  budget: Budget,
  { encoding }: TextCodec,
): ExecutionResult {
  const { data } = result;
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value), encoding);
  if (!data || !budget.isTooLong(bytesOf(data))) return result;
  const fitted: Record<string, unknown> = { ...data };
  const errors = [...(result.errors ?? [])];
  const longestFirst = Object.entries(data)
    .map(([key, value]) => ({ key, length: bytesOf(value) }))
    .sort((left, right) => right.length - left.length);
  for (const { key } of longestFirst) {
    fitted[key] = null;
    errors.push(afterWrite(budget.tooLongError(), [key]));
    if (!budget.isTooLong(bytesOf(fitted))) break;
  }
  return { ...result, data: fitted, errors };
}
