import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ExportedRow } from '../../../src/cli/export/copy-rows.ts';
import { casesOf } from '../../support/search.ts';
import { cursorOf, fakeRows } from './fake-gateway.ts';
import { type FileOptions, FORMATS, makeFolder, ndjsonOf, openPart } from './support.ts';

const fakes = fakeRows(30);
const rows = fakes.map((value, index): ExportedRow => ({ cursor: cursorOf(index), value: { ...value } }));

function contentOf(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

function expectedOf(format: keyof typeof FORMATS, of: readonly ExportedRow[] = rows): string {
  return FORMATS[format].header + of.map(FORMATS[format].line).join('');
}

/** The files of an export under way. */
function filesOf(path: string): [string, Buffer][] {
  const files = [`${path}.part`, `${path}.part.json`].filter((file) => existsSync(file));
  return files.map((file) => [file, readFileSync(file)]);
}

/** Where Linux tells them; elsewhere none. */
function openFilesBelow(folder: string): string[] {
  const fds = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : [];
  const targets = fds.map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The one that the list was read by.
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(folder));
}

const FILES: [string, FileOptions][] = [
  ['rows.ndjson', {}],
  ['rows.csv', { format: 'csv' }],
  ['rows.ndjson.gz', { isCompressed: true }],
  ['rows.csv.gz', { format: 'csv', isCompressed: true }],
];

describe.each(FILES)('%s', (name, options) => {
  const { format = 'ndjson' } = options;

  test('has all rows, and nothing is left beside it', async () => {
    const folder = makeFolder();
    const output = await openPart(join(folder, name), options);
    for (const row of rows) await output.add(row);
    await output.complete();
    expect(contentOf(join(folder, name))).toBe(expectedOf(format));
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('of a list without rows is a file too', async () => {
    const path = join(makeFolder(), name);
    await (await openPart(path, options)).complete();
    expect(contentOf(path)).toBe(FORMATS[format].header);
  });

  test('is begun by a resumed export whose process was killed before it had written anything', async () => {
    const path = join(makeFolder(), name);
    writeFileSync(`${path}.part`, '');
    const output = await openPart(path, { ...options, resumes: true });
    for (const row of rows) await output.add(row);
    await output.complete();
    expect(contentOf(path)).toBe(expectedOf(format));
  });

  test('is whole after any number of ends, also of processes that were killed', async () => {
    const step = fc.record({
      rows: fc.nat(12),
      flushes: fc.boolean(),
      keeps: fc.boolean(),
      junk: fc.nat(40),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        const path = join(makeFolder(), name);
        for (const [index, { rows: count, flushes, keeps, junk }] of steps.entries()) {
          const output = await openPart(path, { ...options, resumes: index > 0 });
          const { rows: from } = await output.flush();
          for (const row of rows.slice(from, from + count)) await output.add(row);
          if (flushes) await output.flush();
          const killed = filesOf(path);
          await output.keep();
          if (keeps) continue;
          for (const [file, bytes] of killed) writeFileSync(file, bytes);
          // What it has written, and not noted.
          if (killed.length > 0) appendFileSync(`${path}.part`, 'x'.repeat(junk));
        }
        const output = await openPart(path, { ...options, resumes: true });
        const { rows: from } = await output.flush();
        for (const row of rows.slice(from)) await output.add(row);
        await output.complete();
        expect(contentOf(path)).toBe(expectedOf(format));
      }),
      { numRuns: casesOf({ short: 8, long: 40 }) },
    );
  });

  test('can take rows back', async () => {
    const path = join(makeFolder(), name);
    const output = await openPart(path, options);
    const start = await output.flush();
    for (const row of rows.slice(3, 6)) await output.add(row);
    await output.flush();
    await output.rollBack(start);
    expect(output.rows).toBe(0);
    for (const row of rows) await output.add(row);
    await output.complete();
    expect(contentOf(path)).toBe(expectedOf(format));
  });
});

describe('a part', () => {
  async function keptPart(): Promise<string> {
    const path = join(makeFolder(), 'rows.ndjson');
    const output = await openPart(path);
    for (const row of rows.slice(0, 7)) await output.add(row);
    expect(await output.keep()).toBe(
      `${path}.part has 7 rows: the same command with --resume goes on behind them.`,
    );
    return path;
  }

  test('is gone on with behind its last row', async () => {
    const path = await keptPart();
    const output = await openPart(path, { resumes: true });
    const bytes = Buffer.byteLength(ndjsonOf(fakes.slice(0, 7)));
    expect(await output.flush()).toEqual({ after: cursorOf(6), rows: 7, bytes });
  });

  test('without a row is not kept', async () => {
    const path = join(makeFolder(), 'rows.ndjson');
    const output = await openPart(path);
    const start = await output.flush();
    for (const row of rows) await output.add(row);
    await output.flush();
    await output.rollBack(start);
    expect(await output.keep()).toBe('No row was written.');
    expect(filesOf(path)).toEqual([]);
  });

  test('is left alone by an export that starts anew, until that has a row', async () => {
    const path = await keptPart();
    const output = await openPart(path);
    await output.flush();
    expect(await output.keep()).toBe('No row was written.');
    expect((await openPart(path, { resumes: true })).rows).toBe(7);
  });

  test('that another process writes is not touched', async () => {
    const path = await keptPart();
    const state = JSON.parse(readFileSync(`${path}.part.json`, 'utf8'));
    writeFileSync(`${path}.part.json`, JSON.stringify({ ...state, pid: process.ppid }));
    for (const resumes of [false, true])
      await expect(openPart(path, { resumes })).rejects.toThrow(
        `Process ${process.ppid} is writing ${path}.part`,
      );
  });

  /** As a full disk does: each note is written as a new file first. */
  const refuseNotes = (path: string) => mkdirSync(`${path}.part.json.new`);

  test('says how many rows its note counts, where no more can be noted', async () => {
    const path = await keptPart();
    const output = await openPart(path, { resumes: true });
    for (const row of rows.slice(7, 9)) await output.add(row);
    await output.flush();
    refuseNotes(path);
    for (const row of rows.slice(9, 12)) await output.add(row);
    expect(output.rows).toBe(12);
    expect(await output.keep()).toContain(' has 7 rows: ');
    expect((await openPart(path, { resumes: true })).rows).toBe(7);
  });

  test('that cannot be noted is closed, and not left behind', async () => {
    const folder = makeFolder();
    const path = join(folder, 'rows.ndjson');
    const output = await openPart(path);
    refuseNotes(path);
    output.add(rows[0] ?? { cursor: '', value: {} });
    await expect(output.flush()).rejects.toThrow('EISDIR');
    expect(await output.keep()).toBe('No row was written.');
    expect(readdirSync(folder)).toEqual(['rows.ndjson.part.json.new']);
    expect(openFilesBelow(folder)).toEqual([]);
  });

  test('keeps no note of rows that were taken back', async () => {
    const folder = makeFolder();
    const path = join(folder, 'rows.ndjson');
    const output = await openPart(path);
    const start = await output.flush();
    vi.spyOn(performance, 'now').mockReturnValue(Number.MAX_SAFE_INTEGER);
    onTestFinished(() => void vi.restoreAllMocks());
    for (const row of rows.slice(3, 6)) await output.add(row);
    refuseNotes(path);
    await expect(output.rollBack(start)).rejects.toThrow('EISDIR');
    expect(await output.keep()).toBe('No row was written.');
    expect(readdirSync(folder)).toEqual(['rows.ndjson.part.json.new']);
  });

  test('leaves no half of a note behind', async () => {
    const path = await keptPart();
    // A file cannot take the name of a folder.
    rmSync(`${path}.part.json`);
    mkdirSync(`${path}.part.json`);
    const output = await openPart(path);
    for (const row of rows) await output.add(row);
    await expect(output.flush()).rejects.toThrow('EISDIR');
    expect(existsSync(`${path}.part.json.new`)).toBe(false);
  });

  const change = (member: string, value: unknown) => (path: string) => {
    const state = JSON.parse(readFileSync(`${path}.part.json`, 'utf8'));
    writeFileSync(`${path}.part.json`, JSON.stringify({ ...state, [member]: value }));
  };

  test.each<[string, (path: string) => void, string]>([
    ['without its note', (path) => rmSync(`${path}.part.json`), '.part.json is missing or broken'],
    ['with an empty note', (path) => writeFileSync(`${path}.part.json`, ''), 'is missing or broken'],
    ['of another kind', (path) => writeFileSync(`${path}.part.json`, '[]'), 'is missing or broken'],
    ...['document', 'variables', 'url', 'format', 'after', 'rows', 'bytes'].map(
      (member): [string, (path: string) => void, string] => [
        `whose note has no ${member}`,
        change(member, -1),
        'is missing or broken',
      ],
    ),
    [
      'that is shorter than its note says',
      (path) => truncateSync(`${path}.part`, 10),
      'it is shorter than its note says',
    ],
    ['of another query', change('document', 'x'), 'it is of another query'],
    ['of other variables', change('variables', 'x'), 'it was begun with other variables'],
    ['of another address', change('url', 'x'), 'it comes from another address'],
    ['of another format', change('format', 'x'), 'it has another format'],
  ])('%s is not resumed', async (_what, spoil, reason) => {
    const path = await keptPart();
    spoil(path);
    const before = readFileSync(`${path}.part`);
    const refusal = openPart(path, { resumes: true });
    await expect(refusal).rejects.toThrow('.part cannot be resumed, since ');
    await expect(refusal).rejects.toThrow(`${reason}: leave out --resume to start anew.`);
    expect(readFileSync(`${path}.part`)).toEqual(before);
    expect((await openPart(path)).rows).toBe(0);
  });
});
