import { describe, expect, test } from 'vitest';
import { type Found, findBrowser, type Machine } from './support/browser/find.ts';
import { readTar } from './support/browser/tar.ts';

const LINUX = { platform: 'linux', arch: 'x64', env: { PATH: '/usr/local/bin:/usr/bin' } } as const;
const MAC = { platform: 'darwin', arch: 'arm64', env: { PATH: '/usr/bin', HOME: '/Users/one' } } as const;
const WINDOWS = {
  platform: 'win32',
  arch: 'x64',
  env: { PROGRAMFILES: 'C:\\Programs', 'PROGRAMFILES(X86)': 'C:\\Programs86', LOCALAPPDATA: 'C:\\Local' },
} as const;
const LOADER = '/lib64/ld-linux-x86-64.so.2';

const found = (machine: Omit<Machine, 'exists'>, files: readonly string[]): Found =>
  findBrowser({ ...machine, exists: (path) => files.includes(path) });

describe('the browser of the tests', () => {
  const CHROME_ON_MAC = 'Google Chrome.app/Contents/MacOS/Google Chrome';
  const EDGE = 'Microsoft\\Edge\\Application\\msedge.exe';

  test.each<[string, Omit<Machine, 'exists'>, string[]]>([
    ['on the PATH of Linux', LINUX, ['/usr/local/bin/chromium']],
    ['Chromium rather than Chrome', LINUX, ['/usr/bin/chromium', '/usr/local/bin/google-chrome']],
    ['of older Ubuntu', LINUX, ['/usr/bin/chromium-browser', '/usr/bin/google-chrome']],
    [
      'on the PATH rather than at a usual place',
      LINUX,
      ['/usr/bin/google-chrome', '/opt/google/chrome/chrome'],
    ],
    ['at a usual place of Linux', LINUX, ['/opt/microsoft/msedge/msedge']],
    ['in /usr/bin without a PATH', { ...LINUX, env: {} }, ['/usr/bin/chromium']],
    ['installed rather than bundled', LINUX, ['/snap/bin/chromium', LOADER]],
    ['on the PATH of macOS', MAC, ['/usr/bin/chromium', `/Applications/${CHROME_ON_MAC}`]],
    ['of macOS', MAC, [`/Applications/${CHROME_ON_MAC}`, `/Users/one/Applications/${CHROME_ON_MAC}`]],
    ['of one user of macOS', MAC, [`/Users/one/Applications/${CHROME_ON_MAC}`]],
    [
      'Chrome of Windows',
      WINDOWS,
      ['C:\\Local\\Google\\Chrome\\Application\\chrome.exe', `C:\\Programs\\${EDGE}`],
    ],
    ['that Windows brings', WINDOWS, [`C:\\Programs86\\${EDGE}`]],
  ])('is the one %s', (_, machine, files) => {
    expect(found(machine, files)).toEqual({ installed: files[0] });
  });

  test('is that of CHROMIUM_PATH before any other', () => {
    const env = { ...LINUX.env, CHROMIUM_PATH: '/my/browser' };
    expect(found({ ...LINUX, env }, ['/my/browser', '/usr/bin/chromium'])).toEqual({
      installed: '/my/browser',
    });
    expect(() => found({ ...LINUX, env }, ['/usr/bin/chromium'])).toThrow('CHROMIUM_PATH is /my/browser');
  });

  test.each<[string, Omit<Machine, 'exists'>, string[], Found]>([
    ['bundled, on Linux x64', LINUX, [LOADER], 'bundled'],
    ['none, on another C library', LINUX, [], undefined],
    ['none, on Linux arm64', { ...LINUX, arch: 'arm64' }, [LOADER], undefined],
    ['none, on macOS', MAC, [LOADER], undefined],
    ['none, on Windows', WINDOWS, [LOADER], undefined],
  ])('where none is installed is %s', (_, machine, files, expected) => {
    expect(found(machine, files)).toBe(expected);
  });
});

test('a tar archive is read file by file, without its folders', () => {
  const entry = (path: string, type: string, content = '') => {
    const header = Buffer.alloc(512);
    header.write(path);
    header.write(content.length.toString(8).padStart(11, '0'), 124);
    header.write(type, 156);
    return [header, Buffer.from(content), Buffer.alloc(-content.length & 511)];
  };
  const long = 'x'.repeat(512);
  const entries = [entry('a/', '5'), entry('a/b', '0', 'text'), entry('c', '', long), entry('d', '0')];
  const files = Array.from(readTar(Buffer.concat([...entries.flat(), Buffer.alloc(1024)])));
  expect(files.map(({ path, content }) => [path, String(content)])).toEqual([
    ['a/b', 'text'],
    ['c', long],
    ['d', ''],
  ]);
});
