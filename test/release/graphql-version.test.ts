import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { npmScript, scriptOf } from '../../scripts/commands.mjs';
import { exportText } from '../export/support.ts';
import { SSE } from '../streams/support.ts';
import { postTo, useGateway } from '../support/gateway.ts';
import { describeWith } from '../support/requirements.ts';
import { runNode } from '../support/run-node.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Allows time for an installation, which takes half a minute if nothing else runs. */
const PATIENCE_MS = 300_000;
const major = process.env.GRAPHQL;
const project = mkdtempSync(join(tmpdir(), 'graphql-version-'));
/** The repository's own graphql, over the same REST service. */
const reference = await useGateway({ withoutApplication: true });
let url: string;

/** A server as users of the library write one. One of its resolvers returns the variables that it gets. */
const SERVER = `
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type GraphQLFieldResolver, GraphQLSchema, isObjectType } from 'graphql';
import { type Config, createGateway, type Gateway, readConfig, schema } from 'receivables-graphql';

if (!(schema instanceof GraphQLSchema)) throw new TypeError('There is a second copy of graphql.');
const resolve: GraphQLFieldResolver<unknown, unknown> = async (_source, _args, _context, info) => {
  const { getAbortSignal, getAsyncHelpers } = Object(info);
  getAsyncHelpers().track([Promise.reject(new Error('not an error of the field'))]);
  const [variables] = await getAsyncHelpers().promiseAll([info.variableValues, getAbortSignal()]);
  return JSON.stringify(variables);
};
const debtor = schema.getType('Debtor');
if (isObjectType(debtor)) Object.assign(debtor.getFields().remark ?? {}, { resolve });
const config: Config = readConfig({});
const gateway: Gateway = createGateway({ ...config, restUrl: new URL(process.argv[2] ?? '') });
const server = createServer(gateway);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
`;

const list = (args: string, administrationId = '"1001"') =>
  `{ debtors(administrationId: ${administrationId}, ${args}) { nodes { internalId name } } }`;

describeWith({
  isMet: major !== undefined,
  needs:
    'a version of graphql to install with the package. Set GRAPHQL=16, or GRAPHQL=17 on Node 22 or later',
})(`with graphql ${major}`, () => {
  beforeAll(async () => {
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(project, 'server.ts'), SERVER);
    const packed = await npm('pack', root, '--ignore-scripts', '--silent');
    await npm('install', `./${packed.trim()}`, `graphql@${major}`, '@types/node@20', '--no-audit');
    return () => rmSync(project, { recursive: true });
  }, PATIENCE_MS);

  test('the installed package uses one copy of graphql', () => {
    const packages = join(project, 'node_modules');
    const copies = readdirSync(packages, { recursive: true, encoding: 'utf8' })
      .filter((path) => /^(.*node_modules.)?graphql.package\.json$/.test(path))
      .map((path) => JSON.parse(readFileSync(join(packages, path), 'utf8')).version);
    expect(copies).toEqual([expect.stringMatching(`^${major}\\.`)]);
  });

  test('the type declarations of the package compile', { timeout: PATIENCE_MS }, async () => {
    const options = ['--target', 'esnext', '--module', 'nodenext', '--types', 'node', '--strict'];
    // Those of other packages have errors, which `skipLibCheck` would hide with ours.
    const output = await run(scriptOf('typescript', 'tsc'), ...options, 'server.ts').catch(
      ({ message }) => message,
    );
    expect(output).not.toMatch(/^(server|node_modules.receivables-graphql)\b/m);
  });

  describe('a server', () => {
    beforeAll(async () => {
      const stdio = ['ignore', 'pipe', 'inherit'] as const;
      const server = spawn(process.execPath, ['server.js', reference.rest.url], {
        cwd: project,
        stdio: [...stdio],
      });
      url = `http://127.0.0.1:${Number((await once(server.stdout, 'data'))[0])}/graphql`;
      return () => void server.kill('SIGKILL');
    }, PATIENCE_MS);

    test.each([
      '{ administration(id: "1001") { ...A debtors(first: 2) { nodes { id } } } } fragment A on Administration { internalId }',
      '{ __schema { types { name fields { name type { name } args { defaultValue } } } } }',
      '{ debtors(administrationId: "1001") { groups(by: POSTAL_ADDRESS_CITY) { key totals { count isComplete } } } }',
      list('where: { or: [{ name: { eq: 5 } }, { name: { like: "s3cret" } }] }'),
      '{ debtors(administrationId: "1001") { groups(by: [NAME, CITY]) { key } } }',
    ])('responds like the graphql of the repository: %s', async (query) => {
      expect(await post(url, query)).toEqual(await post(reference.url, query));
    });

    const FILTER = { name: { contains: 'ij' } };
    const WRONG = { or: [{ name: 's3cret' }, { nam: 's3cret' }] };
    test.each<[query: string, variables: object]>([
      [`query ($a: ID!, $n: Int = 2) ${list('first: $n', '$a')}`, { a: 1001 }],
      [`query ($n: Int = 2) ${list('first: $n')}`, { n: null }],
      [`query ($i: ID!) ${list('ids: ["300002", $i]')}`, { i: '300001' }],
      [`query ($w: DebtorWhere) ${list('where: $w')}`, { w: FILTER }],
      [`query ($w: DebtorWhere = { name: { contains: "ij" } }) ${list('where: $w')}`, {}],
      [`query ($a: Amount) ${list('where: { bookOpenAmount: { gt: $a } }')}`, { a: '10.50' }],
      [
        'query ($y: Boolean!) { administration(id: "1001") { id @skip(if: $y) name @include(if: $y) } }',
        { y: true },
      ],
      [`query ($n: Int, $w: DebtorWhere) ${list('first: $n, where: $w')}`, { n: 's3cret', w: WRONG }],
    ])('responds like the graphql of the repository: %s %j', async (query, variables) => {
      expect(await post(url, query, variables)).toEqual(await post(reference.url, query, variables));
    });

    test('repeats no argument values in errors, whichever version of graphql writes them', async () => {
      const by = { debtorNumber: 's3cret', id: 's3cret' };
      const query = 'query ($b: DebtorBy!) { debtor(administrationId: "1001", by: $b) { name } }';
      const message =
        Number(major) > 16 ? 'Within OneOf Input Object type' : 'Exactly one key must be specified';
      const asVariable = await post(url, query, { b: by });
      const asLiteral = await post(url, list('orderBy: { direction: DESC, x: "s3cret" }'));
      const text = JSON.stringify([asVariable, asLiteral]);
      expect(text).toContain(message);
      expect(text).toContain(Number(major) > 16 ? 'to include required field' : 'was not provided');
      expect(text).not.toContain('s3cret');
    });

    test('passes the info of this version of graphql to the resolvers of others', async () => {
      const query = 'query ($by: DebtorBy!) { debtor(administrationId: "1001", by: $by) { remark } }';
      const coerced = { by: { id: '300001' } };
      const { data } = await post(url, query, coerced);
      expect(JSON.parse(data.debtor.remark)).toEqual(Number(major) > 16 ? { coerced, sources: {} } : coerced);
    });

    test('sends the events of a subscription', async () => {
      const query = `subscription ($kinds: [ChangeKind!]) {
        changes(administrationId: "1001", kinds: $kinds, since: "2020-01-01T00:00:00Z") { __typename cursor }
      }`;
      const leave = new AbortController();
      const operation = { query, variables: { kinds: ['DEBTOR_CHANGED'] } };
      const response = await postTo(url, operation, SSE, leave);
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes('"DebtorChanged"')) break;
      }
      leave.abort();
      expect(text).toMatch(/^event: next$/m);
    });

    test('sends the rows of an export', async () => {
      const query = '{ debtors(administrationId: "1001") { nodes { internalId name } } }';
      const text = await exportText({ url }, 'csv', query);
      expect(text.split('\n').length).toBeGreaterThan(100);
      expect(text).toBe(await exportText(reference, 'csv', query));
    });
  });
});

async function post(endpoint: string, query: string, variables?: object) {
  const response = await postTo(endpoint, { query, variables }, { 'x-request-id': 'id' });
  const { data, errors } = await response.json();
  return { data, errors };
}

const run = (...args: string[]) => runNode(args, { cwd: project });
const npm = (...args: string[]) => run(npmScript(), ...args);
