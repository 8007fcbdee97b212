import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

/**
 * The text of a file (mode 0600), made by the first of several processes that ask for it. It gets its
 * name when it is whole: nobody reads a file that is still being written.
 */
export async function keptText(path: string, make: () => string): Promise<string> {
  const written = `${path}.${randomUUID()}`;
  await writeFile(written, `${make().trim()}\n`, { flag: 'wx', mode: 0o600 });
  try {
    await link(written, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(written);
  }
  return (await readFile(path, 'utf8')).trim();
}
