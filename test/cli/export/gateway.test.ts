import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyRows, planRows } from '../../../src/cli/export/copy-rows.ts';
import type { PartFile } from '../../../src/cli/export/part-file.ts';
import { CommandFailure } from '../../../src/cli/failure.ts';
import { demoCredentials } from '../../../src/demo/applications.ts';
import { FOREIGN_ADMINISTRATION, freshGateway, OTHER_BEARER, useGateway } from '../../support/gateway.ts';
import { run } from '../support.ts';
import { makeFolder, openPart } from './support.ts';

/** The few hundred debtors of company B are several pages. */
const rest = { maxPerPage: 100 };
const gateway = await useGateway({ rest });
const TOKEN = demoCredentials.tokens.companyB;
const VARIABLES = { a: FOREIGN_ADMINISTRATION };
const DEBTOR = 'id name bookOpenAmount paymentBehaviour peppolEnabled postalAddress { city } labels { name }';
const queryOf = (list: string) => `query ($a: ID!) { ${list} }`;
/** Three pages of the REST service. */
const NODES = queryOf(`debtors(administrationId: $a, first: 240) { nodes { ${DEBTOR} } }`);

async function bodyOf(format: 'csv' | 'ndjson', query: string, search = ''): Promise<string> {
  const headers = { ...OTHER_BEARER, 'content-type': 'application/json' };
  const body = JSON.stringify({ query, variables: VARIABLES });
  return (await fetch(`${gateway.url}.${format}${search}`, { method: 'POST', headers, body })).text();
}

/** NDJSON without its last line. */
async function rowsOf(query: string): Promise<string> {
  const text = await bodyOf('ndjson', query);
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  expect(JSON.parse(text.slice(end))).toMatchObject({ end: true });
  return text.slice(0, end);
}

describe('the command writes', () => {
  async function exportTo(
    name: string,
    { url } = gateway,
    query = NODES,
    options: readonly string[] = [],
  ): Promise<string> {
    const folder = makeFolder();
    writeFileSync(join(folder, 'query.graphql'), `${query}\n`);
    const args = [
      '--out',
      join(folder, name),
      '--variables',
      JSON.stringify(VARIABLES),
      '--quiet',
      ...options,
    ];
    const env = { RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_URL: url };
    const result = await run(['export', join(folder, 'query.graphql'), ...args], env);
    expect(result).toEqual({ status: 0, output: '', errors: '' });
    return join(folder, name);
  }

  test('the CSV of the gateway, and its NDJSON', async () => {
    expect(readFileSync(await exportTo('rows.csv'), 'utf8')).toBe(await bodyOf('csv', NODES));
    expect(readFileSync(await exportTo('rows.ndjson'), 'utf8')).toBe(await rowsOf(NODES));
  });

  test('amounts with a decimal comma, as the gateway does', async () => {
    const written = readFileSync(
      await exportTo('rows.csv', gateway, NODES, ['--separator', ';', '--decimal', ',']),
      'utf8',
    );
    expect(written).toBe(await bodyOf('csv', NODES, '?separator=;&decimal=,'));
    expect(written).toMatch(/;-?\d+,\d\d;/);
  });

  test.each([
    [
      'groups',
      'groups(by: LABELS_NAME, thenBy: POSTAL_ADDRESS_CITY) { key thenKey totals { count bookOpenAmount { sum } } }',
    ],
    ['totals', 'totals { count bookOpenAmount { sum } }'],
  ])('%s', async (_, rows) => {
    const query = queryOf(`debtors(administrationId: $a) { ${rows} }`);
    expect(readFileSync(await exportTo('rows.csv', gateway, query), 'utf8')).toBe(await bodyOf('csv', query));
    expect(readFileSync(await exportTo('rows.ndjson', gateway, query), 'utf8')).toBe(await rowsOf(query));
  });

  test('what a gateway of trusted documents runs', async () => {
    const hash = createHash('sha256').update(NODES).digest('hex');
    const trusting = await freshGateway({ rest, gateway: { trustedDocuments: new Map([[hash, NODES]]) } });
    expect(readFileSync(await exportTo('rows.ndjson', trusting), 'utf8')).toBe(await rowsOf(NODES));
  });

  test('Parquet with the values of the JSON answer, and types', async () => {
    const file = await asyncBufferFromFile(await exportTo('rows.parquet'));
    const rows = (await rowsOf(NODES))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(240);
    expect(await parquetReadObjects({ file })).toEqual(
      rows.map(({ postalAddress, labels, ...plain }) => ({
        ...plain,
        'postalAddress.city': postalAddress.city,
        'labels.name': labels.map(({ name }: { name: string }) => name).join('; '),
      })),
    );
    expect(rows.map(({ paymentBehaviour }) => typeof paymentBehaviour)).toContain('number');
    expect(rows.map(({ peppolEnabled }) => typeof peppolEnabled)).toContain('boolean');
  });
});

describe('an export that is resumed has every row once', () => {
  test.each([
    ['of a plain list', NODES],
    ['of edges', queryOf(`debtors(administrationId: $a, first: 220) { edges { cursor node { id name } } }`)],
    ['inside an administration', queryOf('administration(id: $a) { debtors { nodes { id } } }')],
    [
      'that is ordered',
      queryOf(
        'debtors(administrationId: $a, orderBy: [{ field: BOOK_OPEN_AMOUNT, direction: DESC }, { field: NAME }]) { nodes { id name } }',
      ),
    ],
    [
      'that is filtered',
      queryOf('debtors(administrationId: $a, where: { name: { contains: "e" } }) { nodes { id name } }'),
    ],
  ])('%s', async (_what, query) => {
    const path = join(makeFolder(), 'rows.ndjson');
    for (const rows of [1, 99, 1]) {
      const output = await openPart(path, { resumes: true });
      await expect(copyUpTo(rows, output, query)).rejects.toThrow('interrupted');
      await output.keep();
    }
    gateway.rest.calls.length = 0;
    const output = await openPart(path, { resumes: true });
    expect(output.rows).toBe(101);
    await copyUpTo(Number.POSITIVE_INFINITY, output, query);
    await output.complete();
    expect(readFileSync(path, 'utf8')).toBe(await rowsOf(query));
  });

  async function copyUpTo(rows: number, output: PartFile, query: string): Promise<void> {
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const { signal } = new AbortController();
    const parsed = { query, variables: VARIABLES };
    const source = {
      url: new URL(gateway.url),
      query: parsed,
      token: TOKEN,
      dispatcher,
      signal,
      ...planRows(parsed),
    };
    let left = rows;
    await copyRows(
      source,
      {
        get rows() {
          return output.rows;
        },
        flush: () => output.flush(),
        rollBack: (position) => output.rollBack(position),
        complete: () => output.complete(),
        keep: () => output.keep(),
        add(row) {
          if (left === 0) throw new CommandFailure('interrupted');
          left -= 1;
          return output.add(row);
        },
      },
      { onRetry: ({ message }) => expect.unreachable(message) },
    );
  }
});
