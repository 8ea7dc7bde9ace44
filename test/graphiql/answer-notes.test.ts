import { expect, test } from 'vitest';
import { annotate, displayedText, notesOf } from '../../src/graphiql/advice.ts';

const NOTES = { advice: 'Do this.', timing: '3 ms', administrationId: '1', operation: { query: '{ a }' } };
const NONE = { advice: null, timing: null, administrationId: null, operation: null };
const lay = (body: object) => JSON.stringify(body, null, 2);

test.each([
  { data: { a: 1 } },
  { data: { a: 1 }, extensions: { cost: { calls: 1 } } },
  { data: null, errors: [{ message: 'No.' }], extensions: { cost: {}, explain: [{}] } },
])('the notes on %j are kept with it, and never shown', (answer) => {
  const text = lay(annotate(answer, NOTES));
  expect(notesOf(text)).toEqual(NOTES);
  expect(displayedText(text, true)).toBe(lay(answer));
});

test('what the panel of REST calls shows is in the JSON only if it is asked for, and all else is', () => {
  const body = { data: { a: 1 }, extensions: { other: 1, cost: { calls: 1 }, explain: [{}] } };
  expect(displayedText(lay(body), true)).toBe(lay(body));
  expect(displayedText(lay(body), false)).toBe(lay({ data: { a: 1 }, extensions: { other: 1 } }));
});

test.each(['', 'not JSON', '{"errors":[]}', 'null', '[]', '{"extensions":null}'])(
  'the answer %j, which has neither, is shown as it is',
  (response) => {
    expect(displayedText(response, false)).toBe(response);
    expect(notesOf(response)).toEqual(NONE);
  },
);

test.each(['{"extensions":{"graphiql":7}}', '{"extensions":{"graphiql":{"advice":7,"operation":{}}}}'])(
  'notes of another kind, as in %j, are none',
  (response) => expect(notesOf(response)).toEqual(NONE),
);
