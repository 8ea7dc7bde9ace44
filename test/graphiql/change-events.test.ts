import { describe, expect, test } from 'vitest';
import { addEntry, type Entry, eventEntry, noticeEntry } from '../../src/graphiql/change-stream.ts';
import { present } from '../support/present.ts';

const event = (eventId: string, name: string, internalId = '7') => ({
  eventId,
  kind: 'DEBTOR_CHANGED',
  seenAt: '2026-01-02T03:04:05.000Z',
  debtor: { internalId, name },
});

/** The list after these events and notices, each as the first of it. */
function listOf(...news: readonly (string | ReturnType<typeof event>)[]) {
  return news.reduce<readonly Entry[]>(
    (entries, one, number) =>
      addEntry(
        entries,
        typeof one === 'string' ? noticeEntry(number, one) : present(eventEntry(number, one)),
      ),
    [],
  );
}

describe('a line of the list of changes', () => {
  test.each([
    [event('e', 'Zoë'), 'Debtor changed', 'Zoë · 7'],
    [{ kind: 'DEBTOR_CHANGED', debtor: { internalId: '7' } }, 'Debtor changed', '7'],
    [
      { kind: 'DECLARATION_LINE_CHANGED', declarationLine: { internalId: '8', amount: '1.00' } },
      'Declaration line changed',
      '8',
    ],
    [{ kind: 'CREDIT_CASE_DELETED', deletedCreditCase: { internalId: '9' } }, 'Credit case deleted', '9'],
    [
      { kind: 'PAYMENT_DELETED', deletedPayment: { internalId: '10', originIdentifier: 'P-1' } },
      'Payment deleted',
      'P-1 · 10',
    ],
    [{ kind: 'COMPANY_FOUNDED', company: { internalId: '11', name: null } }, 'COMPANY_FOUNDED', '11'],
  ])('of %j is "%s %s"', (given, title, subject) => {
    expect(eventEntry(1, given)).toMatchObject({ number: 1, title, subject, event: given });
  });

  test('has the time when the gateway saw it', () => {
    expect(eventEntry(1, event('e', 'Zoë'))?.time).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
  });

  test.each([undefined, null, 'text', []])('is none of %j', (given) => {
    expect(eventEntry(1, given)).toBeUndefined();
  });
});

describe('the list of changes', () => {
  const a1 = event('a1', 'A');
  const a2 = event('a2', 'renamed');
  const b1 = event('b1', 'B', '8');

  test.each([
    ['the newest first', [a1, b1, a2], ['a2', 'b1', 'a1']],
    ['what is told again of a record once', [a1, b1, a1], ['b1', 'a1']],
    ['what is so again, after it was not', [a1, a2, a1], ['a1', 'a2', 'a1']],
    ['notices, whatever they say', [a1, 'Said.', 'Said.', a1], [undefined, undefined, 'a1']],
  ])('holds %s', (_case, news, ids) => {
    expect(listOf(...news).map((entry) => entry.event?.eventId)).toEqual(ids);
  });

  test('holds the last 500', () => {
    const list = listOf(...Array.from({ length: 700 }, (_, index) => event(`e${index}`, 'A')));
    expect(list).toHaveLength(500);
    expect([list[0], list.at(-1)].map((entry) => entry?.event?.eventId)).toEqual(['e699', 'e200']);
  });
});
