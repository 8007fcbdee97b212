import { Kysely, PostgresDialect } from 'kysely';
import { ConfigError, parseConfig } from '../service/config/config.ts';
import { completeConfig } from '../service/config/secrets.ts';
import { instantOf } from '../service/core/time/instant.ts';
import { openSealer } from '../service/core/vault.ts';
import { findDatabase, urlOf } from '../service/db/embedded_running.ts';
import { openPool } from '../service/db/pool.ts';
import { openServiceLogin } from '../service/db/service_login.ts';
import { beginReseal } from '../service/keys/reseal.ts';
import { readKeysStatus } from '../service/keys/status.ts';
import type { Database } from '../service/resources/database.ts';

/**
 * `npm run cli -- keys status` and `keys reseal` run this, with the settings of the service. It prints
 * one line of JSON, or on errors a line for each and exit code 1. It is a script, since the command
 * line does not import the service.
 */
const countingMs = 600_000;

async function run(what: string | undefined): Promise<object> {
  const parsed = parseConfig(process.env);
  // Before the secrets: a folder where no sandbox has run is given none.
  const url = parsed.databaseUrl ?? urlOf(await findDatabase(parsed.dataDir), 'postgres');
  const config = await completeConfig(parsed);
  const { url: login } = await openServiceLogin(url);
  const pool = openPool(login, { max: 1, statementTimeoutMs: countingMs });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    if (what !== 'reseal') return await readKeysStatus(db, config);
    const sealer = openSealer(config.sealingKeys);
    return { tenants: await beginReseal(db, sealer, instantOf(Date.now())) };
  } finally {
    await db.destroy();
  }
}

try {
  process.stdout.write(`${JSON.stringify(await run(process.argv[2]))}\n`);
} catch (error) {
  const lines = error instanceof ConfigError ? error.faults : [(error as Error).message];
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}
