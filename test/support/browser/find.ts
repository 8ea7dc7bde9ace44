import { posix, win32 } from 'node:path';

/** What decides which browser the tests run in. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly exists: (path: string) => boolean;
}

/** The path of an installed browser; `bundled` for that of @sparticuz/chromium; undefined where none would run. */
export type Found = { readonly installed: string } | 'bundled' | undefined;

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** Loads programs of most Linux systems, among them the bundled browser. Alpine, for one, does not have it. */
const LINUX_X64_LOADER = '/lib64/ld-linux-x86-64.so.2';

/** Where installers put browsers, which do not put them on the PATH. */
const LINUX_PLACES = ['/snap/bin/chromium', '/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge'];
const MAC_APPLICATIONS = ['Chromium', 'Google Chrome', 'Microsoft Edge'];
const WINDOWS_FOLDERS = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'];
const WINDOWS_PROGRAMS = [
  'Chromium\\Application\\chrome.exe',
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** The one that is asked for by CHROMIUM_PATH, or else one that is installed, or else the one of our dependencies. */
export function findBrowser(machine: Machine): Found {
  const { platform, arch, env, exists } = machine;
  if (env.CHROMIUM_PATH) {
    if (exists(env.CHROMIUM_PATH)) return { installed: env.CHROMIUM_PATH };
    throw new Error(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, where there is no file.`);
  }
  const installed = [...onPath(machine), ...usualPlaces(machine)].find(exists);
  if (installed !== undefined) return { installed };
  return platform === 'linux' && arch === 'x64' && exists(LINUX_X64_LOADER) ? 'bundled' : undefined;
}

function onPath({ platform, env }: Machine): string[] {
  // On Windows no browser is on the PATH.
  if (platform === 'win32') return [];
  const folders = (env.PATH ?? '').split(':').filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => posix.join(folder, name)));
}

function usualPlaces({ platform, env }: Machine): string[] {
  if (platform === 'darwin') {
    const folders = ['/Applications', ...(env.HOME ? [`${env.HOME}/Applications`] : [])];
    return MAC_APPLICATIONS.flatMap((name) =>
      folders.map((folder) => `${folder}/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (platform === 'win32') {
    const folders = WINDOWS_FOLDERS.flatMap((name) => env[name] ?? []);
    return WINDOWS_PROGRAMS.flatMap((program) => folders.map((folder) => win32.join(folder, program)));
  }
  return [...NAMES.map((name) => `/usr/bin/${name}`), ...LINUX_PLACES];
}
