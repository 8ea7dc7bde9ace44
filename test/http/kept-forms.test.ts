import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { planOperation } from '../../src/execution/operation.ts';
import { keepAnswer, WrittenData } from '../../src/plugins/answers.ts';
import { KeptForms } from '../../src/plugins/kept-forms.ts';
import type { Known } from '../../src/rest/entries.ts';
import { schema } from '../../src/schema/index.ts';

test('a form is made once, whoever asks meanwhile', async () => {
  const grown: number[] = [];
  const forms = new KeptForms((bytes) => grown.push(bytes));
  let made = 0;
  const make = async () => {
    made += 1;
    return Buffer.from('packed');
  };
  const found = await Promise.all([forms.once('br', make), forms.once('br', make), forms.once('gzip', make)]);
  expect(found.map(String)).toEqual(['packed', 'packed', 'packed']);
  expect(made).toBe(2);
  expect(grown).toEqual([6, 6]);
});

test('a form that could not be made is tried again', async () => {
  const forms = new KeptForms();
  expect(await forms.once('br', async () => undefined)).toBeUndefined();
  await expect(forms.once('br', () => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect(String(await forms.once('br', async () => Buffer.from('packed')))).toBe('packed');
});

test('the forms of a kept answer count for what the cache holds', async () => {
  const remembered: Known[] = [];
  const place = { known: undefined, remember: (known: Known) => void remembered.push(known) };
  const planned = planOperation({ schema, document: parse('{ __typename }') });
  const CACHE = 'cache' as const;
  const call = { method: 'GET', path: '/', parameters: {} } as const;
  const calls = [{ call, source: CACHE, status: 200, milliseconds: 1, bytes: 1, rows: 1 }];
  const kept = keepAnswer(place, planned, { data: { __typename: 'Query' } }, 1, { calls, freshUntil: 1 });
  if (!(kept.data instanceof WrittenData)) throw new TypeError('it is written');
  await kept.data.forms?.once('br', async () => Buffer.alloc(1_000));
  const [first = 0, second = 0] = remembered.map(({ bytes }) => bytes);
  expect(second - first).toBe(1_000);
});
