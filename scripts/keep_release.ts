import { readFile } from 'node:fs/promises';
import { useServer } from '../test/kit/database/database.ts';
import { setup } from '../test/kit/database/global_setup.ts';
import { playRelease } from '../test/upgrade/play_release.ts';
import { writeRelease } from '../test/upgrade/release_file.ts';

/**
 * `npx tsx scripts/keep_release.ts`: keeps rows of every kind, as this release writes them, in
 * test/upgrade/releases. Every later release must be able to go on with them.
 */

const root = new URL('../', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));

const given: Partial<Record<string, string>> = {};
const teardown = await setup({
  provide: (name, value) => {
    given[name] = String(value);
  },
});
try {
  useServer({ adminUrl: given.adminUrl ?? '', testPrefix: given.testPrefix ?? '' });
  const { server, facts } = await playRelease();
  const at = new Date(server.service.clocks.realNow()).toISOString();
  const file = await writeRelease(server.databaseUrl, { release: version, at, ...facts });
  await server.stop();
  console.log(file);
} finally {
  await teardown();
}
