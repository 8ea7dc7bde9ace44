import type { ExecutionResult } from 'graphql';
import { afterWrite, type Budget } from '../execution/budget.ts';
import { writeJson } from '../execution/stringify.ts';
import { isSliceOver } from '../limits/time-slice.ts';
import type { TextCodec } from '../rest/wire-text.ts';

/**
 * The result of a mutation, within the length of a response: what is too long is left out root field by root field,
 * the longest first, each with an error. So what is short, such as a token that cannot be had again, is always told.
 */
export async function fitMutation(
  result: ExecutionResult,
  budget: Budget,
  { encoding }: TextCodec,
): Promise<ExecutionResult> {
  const { data } = result;
  if (!data) return result;
  const lengths: { readonly key: string; readonly bytes: number }[] = [];
  let length = 1;
  for (const [key, value] of Object.entries(data)) {
    let bytes = 0;
    // Each may have megabytes.
    for (const piece of writeJson(value)) {
      bytes += Buffer.byteLength(piece, encoding);
      if (isSliceOver()) await budget.nextSlice();
    }
    lengths.push({ key, bytes });
    length += Buffer.byteLength(JSON.stringify(key), encoding) + ':,'.length + bytes;
  }
  if (!budget.isTooLong(length)) return result;
  const fitted: Record<string, unknown> = { ...data };
  const errors = [...(result.errors ?? [])];
  for (const { key, bytes } of lengths.sort((left, right) => right.bytes - left.bytes)) {
    fitted[key] = null;
    length += 'null'.length - bytes;
    errors.push(afterWrite(budget.tooLongError(), [key]));
    if (!budget.isTooLong(length)) break;
  }
  return { ...result, data: fitted, errors };
}
