import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { Pages } from '@tenant-payments/engine/pages.ts';
import type { ClockFacts } from '@tenant-payments/engine/time/clock.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Kysely } from 'kysely';
import type { Database } from './database.ts';

/** One request that reads. A read passes the engine by: one query, one round trip. */
export interface ReadContext {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly db: Kysely<Database>;
  /**
   * The tenant's clock now. It costs a query, so call it only where the reply shows it, and with the
   * tenant's row where the reply's own query can join that.
   */
  readonly now: (tenant?: ClockFacts) => Promise<Instant>;
  /** The pages of the requested list; cursors are bound to it, its filters and the tenant. */
  readonly pages: Pages;
}
