import { runInThisContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { slowPatterns } from '../scripts/patterns.mjs';
import { addressIn } from '../src/cli/doctor/credentials.ts';
import { withoutControlCharacters } from '../src/cli/terminal.ts';
import { csvWriter } from '../src/export/csv.ts';
import { requestIdOf } from '../src/http/errors.ts';
import { negotiate, preferredEncoding } from '../src/http/negotiation.ts';
import { ownerAt } from '../src/limits/owner.ts';
import { TextRules } from '../src/lists/text-rules.ts';
import { comparableMoment, parseDecimal } from '../src/lists/values.ts';
import { credentialsOf } from '../src/request/credentials.ts';
import { checkContent } from '../src/request/http-checks.ts';
import { jsonSize } from '../src/request/json-size.ts';
import { entriesOfBody } from '../src/request/params.ts';
import { errorFromResponse } from '../src/rest/client/error-response.ts';
import { positionIn } from '../src/schema/fields/cursor.ts';
import { decodeGlobalId } from '../src/schema/fields/global-id.ts';
import { faultDetails } from '../src/telemetry/log.ts';
import { traceParentOf } from '../src/telemetry/tracing.ts';
import { casesOf } from './support/search.ts';

describe('the check of patterns finds', () => {
  test.each([
    ['a run that may not end the text', String.raw`text.replace(/[ \t]+$/, '')`, 1],
    ['two runs that share characters', String.raw`/^(\d*)\.?(\d*)$/.test(text)`, 1],
    ['a run of runs', '/^(?:a+)+$/.test(text)', 1],
    ['one in each of two lines', 'const a = / +$/;\nconst b = /x/, c = /,+$/;', 2],
  ])('%s', (_what, source, count) => {
    expect(slowPatterns(source)).toHaveLength(count);
  });

  test.each([
    String.raw`/^[ \t]+/`,
    String.raw`/(?<!\/)\/+$/`,
    '/^([^:]*):(.*)$/s',
    'a / b / c; // no pattern: / +$/',
    '`/ +$/`',
  ])('nothing in %s', (source) => {
    expect(slowPatterns(source)).toEqual([]);
  });

  test('the line, and patterns in TSX', () => {
    const source = 'const a = <p title="x">don\'t</p>;\nconst b = / +$/;';
    expect(slowPatterns(source, { jsx: true })).toEqual([{ line: 2, pattern: '/ +$/' }]);
  });
});

const LENGTH = casesOf({ short: 250_000, long: 1_000_000 });
const PIECES = [' ', 'a', '0', '.', ',', ';', ':', '/', '\\', '"', '%', '-', '\n    at a', '\u0301\u0316'];
const rules = ['en', 'tr'].map((locale) => new TextRules(locale));
const csv = csvWriter([{ name: 'a', path: ['a'], isText: true }], {
  separator: ',',
  guardsFormulas: true,
});

/** What reads a text that a stranger or the service has sent; each may refuse it. */
const READERS: { readonly [name: string]: (text: string) => unknown } = {
  'an array of operations': (text) => entriesOfBody(`[{}${text}]`, 10),
  'the size of JSON': jsonSize,
  'the size of a string in JSON': (text) => jsonSize(`"${text}`),
  'the size of what is no JSON': (text) => jsonSize(`${'"'}${'a'.repeat(LENGTH)}${'"'}${text}`),
  Accept: negotiate,
  'Accept-Encoding': (text) => preferredEncoding(text, ['gzip']),
  'Content-Type': (text) => checkContent({ 'content-type': `application/json;${text}` }),
  Authorization: (text) => credentialsOf({ authorization: `Bearer ${text}` }),
  'Basic credentials': (text) => credentialsOf({ authorization: `Basic ${text}` }),
  'X-Request-ID': requestIdOf,
  traceparent: (text) => traceParentOf({ traceparent: text }),
  'a global id': (text) => decodeGlobalId(`WyJ${text}`),
  'a cursor': positionIn,
  'an amount': parseDecimal,
  'a moment': comparableMoment,
  // The longest that is compared.
  'a text to compare': (text) => rules.map((rule) => rule.fold(text.slice(-50_000))),
  'a text to export': (text) => csv.row({ a: text }),
  'an error that quotes a secret': (text) => {
    const half = text.slice(0, 30_000);
    errorFromResponse({ method: 'GET', path: '/', status: 400 }, { message: text }, undefined, [
      `${half}b${half}`,
    ]);
  },
  'a stack': (text) => faultDetails(Object.assign(new Error(), { stack: `\n    at ${text}` })),
  'an address': ownerAt,
  'an address in a text': addressIn,
  'a text to print': withoutControlCharacters,
};

describe('a long text is read in linear time', () => {
  /** Ends what hangs: linear time is milliseconds, and quadratic time is minutes. */
  const TIMEOUT_MS = 10_000;

  test.each(Object.entries(READERS))('as %s', (_name, read) => {
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'readWorst'));
    for (const piece of PIECES) {
      const text = `${piece.repeat(LENGTH / piece.length)}x`;
      const readWorst = () => {
        try {
          read(text);
        } catch (error) {
          // A refusal; what ends a text that takes too long is no Error of this realm and cannot be caught.
          expect(error).toBeInstanceOf(Error);
        }
      };
      Object.assign(globalThis, { readWorst });
      runInThisContext('readWorst()', { timeout: TIMEOUT_MS });
    }
  });
});
