import type { TLSSocket } from 'node:tls';
import type pg from 'pg';
import { openClient } from '../../engine/database/pool.ts';
import { proveSessions } from '../../engine/database/session.ts';
import { databasesOf, type Named } from '../../fleet/prove_sessions.ts';
import type { ParsedConfig } from '../../service/config/config.ts';
import { keyChecks, type Rings } from '../../service/config/key_rings.ts';
import { findDatabase, urlOf } from '../../service/db/embedded_running.ts';
import { identityFault } from '../../service/db/identity.ts';
import { checkVersion } from '../../service/db/migrate.ts';
import { waitingMigrations } from '../../service/db/migration_plan.ts';
import { openServiceLogin } from '../../service/db/service_login.ts';
import { databaseCause } from '../../service/operations/database_causes.ts';
import { greatestDifferenceMs } from '../../service/operations/database_clock.ts';
import { linesOf } from '../operate/fault.ts';
import { daysLeft, type Finding, failed, ok, saidBy, warning } from './finding.ts';

/** Checks of the databases that the settings name. */

const statementTimeoutMs = 5_000;

async function version(client: pg.Client, setting: string): Promise<Finding> {
  try {
    await checkVersion(client);
  } catch (error) {
    return failed('version', `${setting}: ${saidBy(error)}`, 'Upgrade the server.');
  }
  const { rows } = await client.query<{ is: string }>(
    "select current_setting('server_version') as is",
  );
  return ok('version', `${setting}: PostgreSQL ${rows[0]?.is}`);
}

/** Half of the way there and back is taken for the way back. */
async function clock(client: pg.Client, setting: string): Promise<Finding> {
  const beganMs = Date.now();
  const { rows } = await client.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::double precision * 1000 as ms',
  );
  const hereMs = (beganMs + Date.now()) / 2;
  const aheadMs = Math.round(hereMs - (rows[0]?.ms ?? 0));
  const what = `${setting}: this machine's clock is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's`;
  return Math.abs(aheadMs) > greatestDifferenceMs
    ? failed('clock', what, 'Set both clocks by NTP; no process is ready until then.')
    : ok('clock', what);
}

function tls(client: pg.Client, setting: string): Finding {
  const { stream } = (client as unknown as { connection: { stream: TLSSocket } }).connection;
  if (!stream.encrypted)
    return ok('tls', `${setting}: without TLS, on this machine or in a sandbox`);
  return daysLeft('tls', setting, stream.getPeerCertificate().valid_to);
}

async function session({ setting, url }: Named): Promise<Finding> {
  return proveSessions(url).then(
    () => ok('session', `${setting}: its sessions take writes and are the service's own`),
    (error) =>
      failed('session', `${setting}: ${saidBy(error)}`, 'See docs/guide/operating/pools.md.'),
  );
}

async function role({ setting, url }: Named, isProduction: boolean): Promise<Finding> {
  try {
    const { fault } = await openServiceLogin(url);
    if (fault === null) return ok('role', `${setting}: its login may not change the ledger`);
    return isProduction
      ? failed('role', `${setting}: ${fault}`, 'Do as it says; production does not start with it.')
      : warning(
          'role',
          `${setting}: it owns the tables`,
          'Production wants a login that does not.',
        );
  } catch (error) {
    return failed(
      'role',
      `${setting}: ${saidBy(error)}`,
      'Do as it says, as the owner of the tables.',
    );
  }
}

async function migrations({ setting, url }: Named): Promise<Finding> {
  const waiting = await waitingMigrations(url);
  if (waiting.length === 0) return ok('migrations', `${setting}: it has all of this release`);
  const what = `${setting}: it lacks ${waiting.length}, the first is ${waiting[0]}`;
  return warning(
    'migrations',
    what,
    'npm run cli -- migrate --dry-run, then migrate; a start does it too.',
  );
}

async function keys(client: pg.Client, { environment, ...rings }: ParsedConfig): Promise<Finding> {
  const { pinPeppers, sealingKeys, qrSigningKeys, identityKeys } = rings;
  if (!pinPeppers || !sealingKeys || !qrSigningKeys)
    return ok('keys', 'the sandbox keeps its own in DATA_DIR');
  const given: Rings = { pinPeppers, sealingKeys, qrSigningKeys, identityKeys };
  const fault = await identityFault(client, environment, keyChecks(given));
  if (fault !== null)
    return failed('keys', fault, 'Put the old key back; npm run cli -- keys status.');
  const count = (ring: readonly unknown[]) => ring.length;
  return ok(
    'keys',
    `those of this database: ${count(sealingKeys)} to seal, ${count(pinPeppers)} for PINs, ${count(qrSigningKeys)} to sign`,
  );
}

/** The finding where PostgreSQL or the network gives no session, and its cause (rules/operations#83). */
function away(setting: string, error: unknown): Finding {
  const [first = ''] = linesOf(error);
  const said = first.replace(/^error: (?:the database cannot be reached: )?/, '');
  const cause = databaseCause(error);
  const advice = 'Look at the database, its network, and this setting.';
  return failed('database', `${setting}: ${cause ?? 'database'}: ${said}`, advice);
}

async function lookAt(one: Named, settings: ParsedConfig): Promise<Finding[]> {
  const { setting, url } = one;
  const beganMs = performance.now();
  let client: pg.Client;
  try {
    client = await openClient(url, { statementTimeoutMs });
  } catch (error) {
    return [away(setting, error)];
  }
  try {
    const tookMs = Math.round(performance.now() - beganMs);
    const found = [ok('database', `${setting}: reached in ${tookMs} ms`)];
    found.push(await version(client, setting), tls(client, setting));
    found.push(await clock(client, setting), await session(one));
    // The login that owns the tables is another one.
    if (setting.startsWith('MIGRATION_')) return found;
    const isMigrated = await migrations(one);
    found.push(isMigrated);
    if (isMigrated.state !== 'ok') return found;
    found.push(
      await role(one, settings.environment === 'production'),
      await keys(client, settings),
    );
    return found;
  } catch (error) {
    return [away(setting, error)];
  } finally {
    await client.end().catch(() => {});
  }
}

/** Every database of the settings, or the sandbox's own. */
export async function databases(settings: ParsedConfig): Promise<Finding[]> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== null) {
    const named = databasesOf(settings, databaseUrl);
    return (await Promise.all(named.map((one) => lookAt(one, settings)))).flat();
  }
  try {
    const url = urlOf(await findDatabase(dataDir), 'postgres');
    return await lookAt({ setting: 'the embedded database', url, mayBeAway: false }, settings);
  } catch (error) {
    return [warning('database', saidBy(error), 'Start the service with npm start.')];
  }
}
