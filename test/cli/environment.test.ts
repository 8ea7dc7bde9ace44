import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadEnvironment } from '../../src/cli/environment.ts';
import { UsageError } from '../../src/cli/failure.ts';

const folder = mkdtempSync(join(tmpdir(), 'environment-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('files of variables', () => {
  test('add to the environment, which wins; a later one wins over an earlier one', () => {
    const first = file('first', 'PORT=1\nHOST=first\nMAX_CALLS=1\n');
    const second = file('second', "# later\nHOST='second'\nPORT=2\n");
    const { env, files } = loadEnvironment({ PORT: '3', PATH: '/bin' }, [first, second]);
    expect(env).toEqual({ PORT: '3', PATH: '/bin', HOST: 'second', MAX_CALLS: '1' });
    expect(Object.fromEntries(files)).toEqual({ HOST: second, MAX_CALLS: first });
  });

  test('do not fill in what the environment has empty', () => {
    expect(loadEnvironment({ PORT: '' }, [file('one', 'PORT=1')]).env).toEqual({ PORT: '' });
  });

  test.each(['missing', '.'])('that cannot be read are a fault of the command line: %s', (name) => {
    const path = join(folder, name);
    expect(() => loadEnvironment({}, [path])).toThrow(
      new UsageError(`The file '${path}' of --env-file cannot be read`),
    );
  });

  test('change the environment of the process only by what others read there', () => {
    const names = ['OTEL_TEST_NAME', 'SHARING_SECRET', 'NODE_TEST_NAME'];
    onTestFinished(() => void delete process.env.OTEL_TEST_NAME);
    const { env } = loadEnvironment({}, [file('others', names.map((name) => `${name}=value`).join('\n'))]);
    expect(names.map((name) => env[name])).toEqual(['value', 'value', 'value']);
    expect(names.map((name) => process.env[name])).toEqual(['value', undefined, undefined]);
  });
});
