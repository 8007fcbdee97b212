import { Kysely } from 'kysely';
import type pg from 'pg';
import { kyselyDialect } from '../../../engine/database/again.ts';
import { openClocks } from '../../../engine/time/clock.ts';
import type { Vault } from '../../../engine/vault.ts';
import { openRevival } from '../../../service/resources/sessions/revive.ts';

/** How an engine of a test replays replies; none of them is sealed. */
export const revivalOn = (pool: pg.Pool) =>
  openRevival(new Kysely({ dialect: kyselyDialect(pool) }), {} as Vault, openClocks(Date.now));
