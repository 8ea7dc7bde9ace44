import { describe, expect, test } from 'vitest';
import { attachBody } from '../../src/http/response-body.ts';
import { SharedBudget } from '../../src/limits/shared-budget.ts';
import { ArrayAnswers } from '../../src/response/array-answers.ts';

/** An answer of so many bytes, of which all are its own unless told otherwise. */
function answer(length: number, ownBytes = length): Response {
  const response = new Response();
  attachBody(response, { pieces: [Buffer.from(JSON.stringify('').padEnd(length))], ownBytes });
  return response;
}

const READ = { owner: 'a', hasWritten: false };
const WRITTEN = { owner: 'a', hasWritten: true };

function create(count: number, { operationBytes = 1_000, maxBytes = 10_000 } = {}) {
  const operations = new SharedBudget(operationBytes, { evicts: 'newest' });
  const answers = new ArrayAnswers(count, { requestId: 'id', operations, maxBytes });
  const codes = () => {
    const parsed: unknown[] = JSON.parse(Buffer.concat([...answers.join().pieces]).toString());
    return parsed.map((result) =>
      result === '' ? 'OK' : /"code":"(\w+)"/.exec(JSON.stringify(result))?.[1],
    );
  };
  return { operations, answers, codes };
}

describe('answers that wait', () => {
  test('are held until they are released', async () => {
    const { operations, answers } = create(2);
    await answers.set(1, answer(300), READ);
    await answers.set(0, answer(300, 100), READ);
    expect(operations.held).toBe(400);
    answers.release();
    expect(operations.held).toBe(0);
  });

  test('make room for others, but for those that tell of a write', async () => {
    const { operations, answers, codes } = create(3);
    await answers.set(0, answer(400), WRITTEN);
    await answers.set(1, answer(300), READ);
    await answers.set(2, answer(200), READ);
    expect(codes()).toEqual(['OK', 'OK', 'OK']);
    const other = operations.hold('b', () => {});
    other.add(200);
    expect(codes()).toEqual(['OK', 'OK', 'OVERLOADED']);
    other.add(250);
    expect(codes()).toEqual(['OK', 'OVERLOADED', 'OVERLOADED']);
    expect(operations.held).toBe(850);
  });

  test('make room themselves if they are too much', async () => {
    const { answers, codes } = create(2);
    await answers.set(0, answer(700), READ);
    await answers.set(1, answer(700), READ);
    expect(codes()).toEqual(['OK', 'OVERLOADED']);
  });

  test('are together no longer than a response may be, but for writes', async () => {
    const { answers, codes } = create(4, { maxBytes: 500 });
    await answers.set(0, answer(300), READ);
    await answers.set(1, answer(300), READ);
    await answers.set(2, answer(300), WRITTEN);
    await answers.set(3, answer(10), READ);
    expect(codes()).toEqual(['OK', 'OPERATION_TOO_EXPENSIVE', 'OK', 'OPERATION_TOO_EXPENSIVE']);
  });
});

test('short answers are one piece, and long ones are not copied', async () => {
  const { answers } = create(2, { operationBytes: 100_000, maxBytes: 100_000 });
  await answers.set(0, answer(5), READ);
  await answers.set(1, answer(5), READ);
  expect(answers.join()).toEqual({ pieces: [Buffer.from('[""   ,""   ]')], ownBytes: 13 });
  await answers.set(1, answer(20_000, 50), READ);
  expect(answers.join()).toMatchObject({ pieces: { length: 5 }, ownBytes: 58 });
});
