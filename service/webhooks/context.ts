import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import type { Pages } from '@tenant-payments/engine/pages.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Tracing } from '@tenant-payments/engine/trace.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { QueryExecutorProvider } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { DeliveryFaults } from './dispatch/delivery_fault.ts';

/** The parts of the service that delivery needs. */
export interface WebhookContext {
  readonly engine: Pick<Engine, 'onCommit'>;
  readonly clocks: Clocks;
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly environment: 'sandbox' | 'production';
  /** Null in production. */
  readonly sandboxTools: { readonly chaos: DeliveryFaults } | null;
}

/** One request that reads events. */
export interface EventReadContext {
  readonly tenantId: string;
  readonly db: QueryExecutorProvider;
  /** The tenant's clock now. */
  readonly now: () => Promise<Instant>;
  /** The pages of the requested list. */
  readonly pages: Pages;
}
