import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { readTar } from './tar.ts';

const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
const bundle = join(modules, '@sparticuz/chromium');

/** How to start a browser. */
export interface BrowserProgram {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Its own would look for fonts at places of the one system it is made for. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * The browser of @sparticuz/chromium, unpacked once, with the libraries and the font that a bare system lacks. The
 * package itself would unpack to a fixed place that other projects share, and the libraries on one system alone.
 */
export async function unpackBundled(): Promise<BrowserProgram> {
  const { version } = JSON.parse(await readFile(join(bundle, 'package.json'), 'utf8'));
  const folder = join(modules, `.cache/chromium-${version}`);
  if (!existsSync(folder)) await unpackTo(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [join(folder, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_PATH: folder,
    },
  };
}

/** Under another name until all of it is there, since other processes may be looking. */
async function unpackTo(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await writeFile(join(unfinished, 'chromium'), await unpacked('chromium.br'));
    await chmod(join(unfinished, 'chromium'), 0o755);
    for (const archive of ['al2023.tar.br', 'fonts.tar.br']) {
      for (const { path, content } of readTar(await unpacked(archive))) {
        await mkdir(dirname(join(unfinished, path)), { recursive: true });
        await writeFile(join(unfinished, path), content);
      }
    }
    await writeFile(join(unfinished, 'fonts.conf'), FONTS_CONF);
    await rename(unfinished, folder);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function unpacked(name: string): Promise<Buffer> {
  return promisify(brotliDecompress)(await readFile(join(bundle, 'bin', name)));
}
