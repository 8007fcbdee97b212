import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LaunchOptions } from 'playwright-core';

/** The browser that a test drives, as playwright launches it. */
export type Browsing = Pick<LaunchOptions, 'executablePath' | 'channel' | 'env'>;

const runFile = promisify(execFile);

const unpack = fileURLToPath(new URL('unpack.ts', import.meta.url));
const modules = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));

/**
 * Unpacks browser, libraries and fonts into a folder. In a process of its own: the package goes by TMPDIR,
 * where other tests of this one make their files at the same time.
 */
async function unpackInto(folder: string): Promise<void> {
  // Named so, the package brings the libraries that a bare machine lacks.
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
  await runFile(process.execPath, ['--import', 'tsx', unpack], { cwd: modules, env });
}

const fontsOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;

/** The folder of this version, unpacked once: a second process takes the folder of the first. */
async function unpacked(): Promise<string> {
  const text = await readFile(join(modules, '@sparticuz/chromium/package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  const folder = join(modules, '.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const making = await mkdtemp(`${folder}-`);
  try {
    await unpackInto(making);
    await writeFile(join(making, 'fonts/fonts.conf'), fontsOf(folder));
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/**
 * Chromium as npm brought it. It is built for Linux on x64; elsewhere `CHROMIUM_PATH` names one, or
 * the Chrome that is installed is taken.
 */
export async function findChromium(): Promise<Browsing> {
  const path = process.env.CHROMIUM_PATH;
  if (path) return { executablePath: path };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.log('browser tests: no CHROMIUM_PATH, so the Chrome that is installed is taken');
    return { channel: 'chrome' };
  }
  const folder = await unpacked();
  const { LD_LIBRARY_PATH: libraries } = process.env;
  const own = join(folder, 'al2023/lib');
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: libraries ? `${own}:${libraries}` : own,
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  };
}
