import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getDefault, type Setting } from '../../src/config/setting.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { CALL_ERROR_TYPES } from '../../src/rest/errors.ts';
import { readPage, root, rowsOf } from './pages.ts';

describe('the tables in docs/settings.md', () => {
  const rows = rowsOf('docs/settings.md', 'variable');
  const named = rows.flatMap(([names = '']) => namesIn(names));

  test('have every setting and no other', () => {
    const names = Object.values(SETTINGS).map(({ name }) => name);
    expect(named.toSorted()).toEqual([...names, 'NO_COLOR'].toSorted());
  });

  test('have the default of each setting, also at a terminal', () => {
    const settings = Object.values<Setting<unknown>>(SETTINGS);
    const defaults = settings.map((setting) => {
      const texts = [false, true].flatMap((isTerminal) => getDefault(setting, isTerminal) ?? []);
      return [setting.name, [...new Set(texts)].map((each) => `\`${each}\``)];
    });
    const shown = rows.flatMap(([names = '', value = '']) =>
      namesIn(names).map((name) => [name, value.match(/`[^`]+`/g) ?? []]),
    );
    expect(Object.fromEntries(shown)).toEqual({ ...Object.fromEntries(defaults), NO_COLOR: [] });
  });

  test('have the largest value of each number and no other', () => {
    for (const { name, parse } of Object.values<Setting<unknown>>(SETTINGS)) {
      const takes = (value: number) => {
        try {
          return parse(String(value), name) === value;
        } catch {
          return false;
        }
      };
      const [, , most = ''] = rows.find(([names = '']) => namesIn(names).includes(name)) ?? [];
      // Each number takes one of these.
      const isNumber = takes(1) || takes(1_000);
      const shown = isNumber && takes(Number(most)) && !takes(Number(most) + 1) ? 'its largest' : 'none';
      expect([name, shown]).toEqual([name, most === '' ? 'none' : 'its largest']);
      expect([name, isNumber]).toEqual([name, most !== '']);
    }
  });
});

test('the table of codes has every code that a client can get and no other', () => {
  const named = rowsOf('docs/errors.md', 'code').flatMap(([code = '']) => namesIn(code));
  // Added to the errors of graphql-js, which have no code.
  expect(named.toSorted()).toEqual(
    [...new Set([...codesInSource(), 'GRAPHQL_VALIDATION_FAILED'])].toSorted(),
  );
});

test('the table of error types has every reason why a REST call fails', () => {
  const named = rowsOf('docs/operations.md', '`error_type`').flatMap(([cell = '']) =>
    Array.from(cell.matchAll(/`(\w+)`/g), ([, name]) => name),
  );
  expect(named.toSorted()).toEqual([...CALL_ERROR_TYPES].toSorted());
});

test('CONTRIBUTING.md has a reason for each override of a dependency and no other', () => {
  const { overrides } = JSON.parse(readPage('package.json'));
  const named = rowsOf('CONTRIBUTING.md', 'Override').flatMap(
    ([names = '']) => names.match(/[^`, ]+/g) ?? [],
  );
  expect(named.toSorted()).toEqual(Object.keys(overrides).toSorted());
});

function namesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`([A-Z_]+)`/g), ([, name = '']) => name);
}

/** The places of the sources where an error gets its code. */
const CODES = [
  /\bcode: '([A-Z_]+)'/g,
  /new RequestError\(\s*(?:\d+|status),\s*'([A-Z_]+)'/g,
  /\brefusal\(\s*'([A-Z_]+)'/g,
  // An error response: the status line, and the code after it.
  /'\d{3} [A-Z][\w ]+',\s*'([A-Z_]+)'/g,
  // All that the REST service may lead to: the union of `ErrorCode`.
  /^ {2}\| '([A-Z_]+)'/gm,
  /'(GRAPHQL_PARSE_FAILED)'/g,
];

const PLACES = /^(?:rest\/errors|(?:http|server|pages|gateway|request|response|execution)\/.*)\.ts$/;

function codesInSource(): string[] {
  const files = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => PLACES.test(name)).map((name) => readPage(`src/${name}`));
  return CODES.flatMap((code) => Array.from(sources.join('\n').matchAll(code), ([, name = '']) => name));
}
