import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inSchema } from '../../engine/database/cell.ts';
import { openClient } from '../../engine/database/pool.ts';
import { type EmbeddedServer, startEmbedded } from '../../service/db/embedded.ts';
import { migrate } from '../../service/db/migrate.ts';
import { makeServiceLogin } from '../../service/db/service_role.ts';
import { startGenerator } from '../load/generator.ts';
import { startService } from '../service_process.ts';
import { secondCell, tenantsOfTwoCells } from '../setup/furnish.ts';
import { assertAll, createPayments } from '../setup/payments.ts';
import { openRandom } from '../setup/random.ts';
import { askSecondCell, compareRounds, kind, payments } from './away.ts';

const seed = 20_260_102;

/** A PostgreSQL of its own, which stays dead after `kill` until it is brought back. */
async function openServer(dataDir: string) {
  const server: EmbeddedServer = await startEmbedded({ dataDir, restarts: true });
  const cluster = join(dataDir, 'postgres/cluster');
  const aside = `${cluster}-aside`;
  const isThere = () =>
    openClient(server.url).then(
      (client) => client.end().then(() => true),
      () => false,
    );
  let isDead = false;
  return {
    url: server.url,
    async kill(): Promise<void> {
      // Without its files it is not started again.
      await rename(cluster, aside);
      process.kill(server.pid, 'SIGKILL');
      isDead = true;
    },
    async bringBack(): Promise<void> {
      if (!isDead) return;
      await rename(aside, cluster);
      while (!(await isThere())) await sleep(100);
      isDead = false;
    },
    stop: server.stop,
  };
}

/** One process that serves a cell of the first server and a remote one of the second. */
async function openService(folder: string, near: string, far: string) {
  await migrate(near);
  const databaseUrl = await makeServiceLogin(near);
  await migrate(inSchema(far, secondCell), { controlUrl: databaseUrl });
  const name = secondCell.toUpperCase();
  const more = {
    ROLES: 'api,worker',
    MIGRATION_DATABASE_URL: near,
    [`DATABASE_URL_${name}`]: await makeServiceLogin(far),
    [`MIGRATION_DATABASE_URL_${name}`]: far,
  };
  const cells = ['public', secondCell];
  const dataDir = join(folder, 'service');
  return startService({ dataDir, databaseUrl, cells, more });
}

/** @returns p99 of payments while the other cell's server is dead / while it is there, of each round */
export async function compareKilled(
  folder: string,
  rounds: number,
  say: (line: string) => void,
): Promise<number[]> {
  const near = await openServer(join(folder, 'near'));
  const far = await openServer(join(folder, 'far'));
  const service = await openService(folder, near.url, far.url);
  const generator = startGenerator();
  try {
    const allPeople = await tenantsOfTwoCells(service);
    const maker = { port: service.port, generator, allPeople, random: openRandom(seed) };
    const { clients, spread } = kind;

    async function p99With(isDead: boolean): Promise<number> {
      const { completions } = await createPayments(maker, spread, payments);
      if (isDead) await far.kill();
      const asking = askSecondCell(maker);
      try {
        await sleep(3_000);
        const plan = { ports: [service.port], clients, requests: completions, warmUpSeconds: 1 };
        const window = { onOpen: () => {}, onClose: () => {} };
        const report = await generator.run({ ...plan, wantsBodies: false }, window);
        assertAll(report, 202, payments);
        const { answered, seconds, p99Ms } = report;
        const statuses = JSON.stringify(await asking.stop());
        say(
          `second server ${isDead ? 'dead' : 'there'} ${statuses}: ${(answered / seconds).toFixed(0)} payments a second ` +
            `in the first, p99 ${p99Ms.toFixed(1)} ms`,
        );
        return p99Ms;
      } finally {
        await asking.stop();
        await far.bringBack();
      }
    }
    return await compareRounds(p99With, rounds);
  } finally {
    generator.stop();
    await service.stop();
    await far.stop();
    await near.stop();
  }
}
