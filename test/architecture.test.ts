import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The layers from the entrance inwards: a layer imports from itself and from later ones, never back. */
const LAYERS = [
  ['main.ts', 'index.ts', 'cli/command-line.ts'],
  ['cli/doctor/', 'cli/export/', 'cli/changes/', 'cli/mcp/'],
  ['cli/'],
  ['server/serve.ts'],
  ['server/'],
  ['gateway/gateway.ts'],
  ['gateway/'],
  ['response/'],
  ['request/'],
  ['export/'],
  ['pages/'],
  ['http/'],
  ['schema/'],
  ['execution/'],
  ['changes/', 'lists/'],
  ['telemetry/'],
  ['sharing/'],
  ['config/', 'production.ts', 'package.ts'],
  ['rest/'],
  [
    'limits/',
    'base64url.ts',
    'composite-key.ts',
    'event-loop.ts',
    'generate.ts',
    'graphql-version.ts',
    'hints.ts',
    'jitter.ts',
    'memoize.ts',
    'networks.ts',
    'utf8.ts',
  ],
  ['demo/'],
];

/** GraphiQL's page is a program of its own. */
const files = sources().filter((file) => file.endsWith('.ts') && !file.startsWith('graphiql/'));
const IMPORT = /^(?:import|export)\b[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;
/** Maps each source to its imports: other sources by their paths in src, packages by their names. */
const imports = new Map(
  files.map((file) => {
    const names = Array.from(
      readSource(file).matchAll(IMPORT),
      (match) => match.slice(1).find(Boolean) ?? '',
    );
    return [file, names.map((name) => (name.startsWith('.') ? posix.join(posix.dirname(file), name) : name))];
  }),
);

describe('imports', () => {
  test('connect files that each have a layer', () => {
    expect(files.filter((file) => layerOf(file) < 0)).toEqual([]);
  });

  test('lead only from outer layers to inner ones', () => {
    const back = edges().filter(([from, to]) => files.includes(to) && layerOf(to) < layerOf(from));
    expect(back.map(([from, to]) => `${from} → ${to}`)).toEqual([]);
  });

  test('form no cycle', () => {
    expect(files.map((file) => circleFrom(file)).filter((circle) => circle.length > 0)).toEqual([]);
  });

  test('of rest/ exclude GraphQL and everything else but HTTP and helpers', () => {
    const outside = edges().filter(
      ([from, to]) =>
        from.startsWith('rest/') &&
        !/^(rest\/|limits\/|composite-key|event-loop|generate|jitter|memoize|networks|utf8)/.test(to),
    );
    const allowed = ['undici', 'lru-cache'];
    expect(outside.filter(([, to]) => !allowed.includes(to) && !to.startsWith('node:'))).toEqual([]);
  });

  test('load ioredis only in sharing/redis.ts', () => {
    const users = edges().filter(([, to]) => to === 'ioredis');
    expect([...new Set(users.map(([from]) => from))]).toEqual(['sharing/redis.ts']);
  });

  test('of demo/ exclude the gateway', () => {
    const outside = edges().filter(([from, to]) => from.startsWith('demo/') && !to.startsWith('demo/'));
    expect(outside.filter(([, to]) => !to.startsWith('node:'))).toEqual([]);
  });

  test('load the embedded service only in the commands and pages that start or show it', () => {
    const users = edges().filter(([from, to]) => !from.startsWith('demo/') && to.startsWith('demo/'));
    expect([...new Set(users.map(([from]) => from))].sort()).toEqual([
      'cli/doctor/doctor.ts',
      'cli/greeting.ts',
      'cli/mcp/mcp.ts',
      'server/pages.ts',
      'server/serve.ts',
    ]);
  });
});

test('no two files export the same name', () => {
  // The library's face names what the layers below it export.
  const exported = sources()
    .filter((file) => file !== 'index.ts')
    .flatMap((file) => Array.from(readSource(file).matchAll(EXPORT), ([, name]) => `${name}`));
  const twice = exported.filter((name, index) => exported.indexOf(name) < index);
  expect(twice).toEqual([]);
  expect(exported.length).toBeGreaterThan(500);
});

const EXPORT =
  /^export (?:abstract |async |declare )*(?:function\*?|class|const|let|type|interface|enum) +(\w+)/gm;

function sources(): string[] {
  const names = readdirSync(new URL('../src/', import.meta.url), { recursive: true, encoding: 'utf8' });
  return names.map((name) => name.replaceAll('\\', '/')).filter((name) => /\.tsx?$/.test(name));
}

function readSource(file: string): string {
  return readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
}

function edges(): [from: string, to: string][] {
  return [...imports].flatMap(([from, names]) => names.map((to): [string, string] => [from, to]));
}

function layerOf(file: string): number {
  return LAYERS.findIndex((layer) =>
    layer.some((name) => file === name || (name.endsWith('/') && file.startsWith(name))),
  );
}

function circleFrom(start: string): string[] {
  const seen = new Set<string>();
  const walk = (file: string, path: string[]): string[] => {
    for (const next of imports.get(file) ?? []) {
      if (next === start) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const circle = walk(next, [...path, next]);
      if (circle.length > 0) return circle;
    }
    return [];
  };
  return walk(start, [start]);
}
