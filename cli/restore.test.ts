import { afterAll, expect, test } from 'vitest';
import { programs } from '../test/kit/processes/built.ts';
import { settingsOf } from '../test/kit/processes/settings.ts';
import { startTestServer } from '../test/kit/server.ts';
import { run } from './run.ts';

/** The restore holds every Tenant, so it shares its database with nobody. */
const server = await startTestServer({ workers: false });
afterAll(() => server.stop());

async function cli(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await run(args, {
    env: { ...settingsOf(server), LOG_LEVEL: 'silent' },
    programs,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, said: [...out, ...err].join('\n') };
}

const heldTenants = async () =>
  (await server.owner.query('select from tenants where held_at is not null')).rowCount;

test('restore begin holds everything before anybody knows the point, which is said later', async () => {
  const begun = await cli('restore', 'begin');
  expect([begun.code, begun.said]).toEqual([
    0,
    expect.stringMatching(
      /Restored to an unknown point: .* are held\.[\s\S]*restore begin --to TIME/,
    ),
  ]);
  expect(await heldTenants()).toBeGreaterThan(0);
  const early = await cli('restore', 'status');
  expect([early.code, early.said]).toEqual([1, expect.stringContaining('nobody has said')]);
  const told = await cli('restore', 'begin', '--to', '2026-11-28 12:00:00+00');
  expect([told.code, told.said]).toEqual([
    0,
    expect.stringMatching(/Restored to 2026-11-28T12:00:00\.000Z: [\s\S]*restore status --take/),
  ]);
  const other = await cli('restore', 'begin', '--to', '2026-11-28 13:00:00+00');
  expect([other.code, other.said]).toEqual([1, expect.stringContaining('is under way')]);
});
