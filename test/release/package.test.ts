import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { scriptOf } from '../../scripts/commands.mjs';
import { ADMINISTRATION, BEARER, useGateway } from '../support/gateway.ts';
import { npm, root } from '../support/npm.ts';

const NAME = 'receivables-graphql';
/** Packing and compiling take a few seconds, and many on a busy machine. */
const PATIENCE_MS = 60_000;
const { dependencies, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { rest } = await useGateway();

/** A project that has the package as npm would unpack it, with what it depends on to run and nothing else. */
const project = mkdtempSync(join(tmpdir(), 'package-'));
const installed = join(project, 'node_modules', NAME);
const main = join(installed, 'dist/main.js');
let packed: string[];

beforeAll(async () => {
  packed = await listPacked();
  for (const path of packed) {
    mkdirSync(dirname(join(installed, path)), { recursive: true });
    cpSync(join(root, path), join(installed, path));
  }
  // The types of Node are the one thing that who compiles against the package has to add.
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
}, PATIENCE_MS);
afterAll(() => rmSync(project, { recursive: true }));

describe('the package', () => {
  test('holds what is compiled of each source, its types, GraphiQL, the documentation and modules for clients', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.ts') && !path.startsWith('graphiql/'));
    const compiled = sources.flatMap((path) => [path.replace(/ts$/, 'js'), path.replace(/ts$/, 'd.ts')]);
    const inDist = packed.filter((path) => /^dist\/(?!graphiql\/|docs\/|clients\/)/.test(path));
    expect(inDist.sort()).toEqual(compiled.map((path) => `dist/${path}`).sort());
    expect(packed).toContain('dist/graphiql/index.html');
    expect(packed).toContain('dist/docs/getting-started.html');
    expect(packed).toContain('dist/clients/apollo.js');
  });

  test('holds nothing else but what tells of it', () => {
    const others = packed.filter((path) => !path.startsWith('dist/'));
    expect(others.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'clients/apollo.d.ts',
      'clients/apollo.js',
      'clients/graphcache.d.ts',
      'clients/graphcache.js',
      'package.json',
      'schema.graphql',
    ]);
    const built = packed.filter((path) => /^dist\/(?:graphiql|docs)\//.test(path));
    expect(built.length).toBeLessThan(150);
  });
});

describe('installed, with its dependencies alone', () => {
  test(
    'it is a library, with types',
    async () => {
      writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
      writeFileSync(join(project, 'server.ts'), serverLike(exampleIn('dist/index.d.ts')));
      await run(scriptOf('typescript', 'tsc'), ...COMPILER_OPTIONS, 'server.ts');
      const output = await run('server.js', rest.url);
      expect(JSON.parse(output)).toMatchObject({
        status: 200,
        answer: { data: { debtors: { nodes: [{ name: 'Noëlle IJzerman' }] } } },
        types: expect.arrayContaining(['Debtor']),
      });
      expect(rest.calls).toMatchObject([{ path: '/v1/debtors' }]);
    },
    PATIENCE_MS,
  );

  test('nothing of its inside can be imported', async () => {
    writeFileSync(join(project, 'inside.mjs'), `import '${NAME}/dist/serve.js';`);
    await expect(run('inside.mjs')).rejects.toMatchObject({
      stderr: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED'),
    });
  });

  test('its schema can be found as a file', async () => {
    writeFileSync(join(project, 'schema.mjs'), `console.log(import.meta.resolve('${NAME}/schema.graphql'));`);
    expect(await run('schema.mjs')).toMatch(/\/schema\.graphql\n$/);
  });

  test('its settings for the caches of clients can be found as modules', async () => {
    const lines = ['apollo.js', 'graphcache.js'].map(
      (name) => `console.log(import.meta.resolve('${NAME}/${name}'));`,
    );
    writeFileSync(join(project, 'clients.mjs'), lines.join('\n'));
    expect(await run('clients.mjs')).toMatch(/\/clients\/apollo\.js\n.*\/clients\/graphcache\.js\n$/);
  });

  test('its command tells its version', async () => {
    expect(await run(main, '--version')).toBe(`${version}\n`);
  });

  test('its command serves GraphQL, GraphiQL and the documentation', async () => {
    const env = { PATH: process.env.PATH, PORT: '0', LOG: 'off' };
    const child = spawn(process.execPath, [main], { cwd: project, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    while (!/is ready at \S+\s/.test(printed)) printed += (await once(child.stdout, 'data'))[0];
    const [, url = ''] = /is ready at (\S+)/.exec(printed) ?? [];
    const answer = await fetch(`${url}?query={__typename}`);
    expect(await answer.json()).toMatchObject({ data: { __typename: 'Query' } });
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(page) ?? [];
    for (const path of [script, '/docs/querying']) expect((await fetch(new URL(path, url))).status).toBe(200);
  });
});

/** Without the scripts around packing, which would build everything anew. */
async function listPacked(): Promise<string[]> {
  const [{ files }] = JSON.parse(await npm(root, 'pack', '--dry-run', '--json', '--ignore-scripts'));
  return files.map(({ path }: { readonly path: string }) => path);
}

async function run(...args: string[]): Promise<string> {
  const running = promisify(execFile)(process.execPath, args, { cwd: project });
  // The compiler tells its errors on standard output, which would not be shown.
  const { stdout } = await running.catch((error) => {
    throw Object.assign(error, { message: `${error.message}${error.stdout}` });
  });
  return stdout;
}

/** The declarations of Yoga, whose plugins a gateway takes, need `skipLibCheck` below `esnext`. */
const COMPILER_OPTIONS = [
  '--target',
  'es2022',
  '--module',
  'nodenext',
  '--types',
  'node',
  '--strict',
  '--skipLibCheck',
];

/** The code that the comment at the head of a file shows. */
function exampleIn(path: string): string {
  const [, code = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(installed, path), 'utf8')) ?? [];
  return code.replace(/^ \* ?/gm, '');
}

/** A server around the example, which asks itself one query. */
function serverLike(example: string): string {
  return `
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Config, ConfigError, createGateway, type Gateway, type GatewayOptions, readConfig, schema,
} from '${NAME}';

${example.replace("'https://rest.example'", "process.argv[2] ?? ''").replace(/createServer.*/, '')}
export type Exported = [Config, ConfigError, Gateway, GatewayOptions];

// @ts-expect-error A gateway needs to know its service: that this is a fault shows that there are types.
export const faulty = () => createGateway({});

const query = '{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }';
const server = createServer(gateway);
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  const headers = ${JSON.stringify({ ...BEARER, 'content-type': 'application/json' })};
  const body = JSON.stringify({ query });
  const response = await fetch(\`http://127.0.0.1:\${port}/graphql\`, { method: 'POST', headers, body });
  const types = Object.keys(schema.getTypeMap());
  console.log(JSON.stringify({ status: response.status, answer: await response.json(), types }));
  server.close();
  await gateway.dispose();
});
`;
}
