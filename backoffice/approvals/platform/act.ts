import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import type { SecurityEventName } from '@tenant-payments/service/operations/security_events.ts';
import type { Kysely } from 'kysely';
import type {
  createPlatformApproval,
  PlatformGiven,
} from '../../contract/operate/platform_approvals.ts';
import type { Seen } from '../seen.ts';

/** What is sent with a request. */
export type PlatformInput = Pick<
  BodyOf<typeof createPlatformApproval>,
  'email' | 'roles' | 'provider'
>;

export type Db = Kysely<Database>;

/** What is asked for: the record, and what the act takes. */
export interface PlatformAsked {
  readonly id: string;
  readonly given: PlatformGiven;
  /** Sealed, and apart from what is shown. */
  readonly secret: string | null;
}

export interface PlatformWhy {
  readonly note: string;
  readonly now: Instant;
  readonly maker: Pick<Actor, 'kind' | 'id' | 'personId'>;
}

/** What the audit shows of an act that is done, and what follows the commit. */
export interface PlatformDone {
  readonly after: object;
  /** @returns a link that is shown to the approver once; null: none */
  readonly committed?: () => string | null;
}

/** An act on the platform: outside the engine, in a transaction of its own with the approval. */
export interface PlatformAct {
  /** What it takes beside the record, all of it required; absent: nothing. */
  readonly takes?: readonly (keyof PlatformGiven)[];
  /** Seals what of it nobody sees again, before anything is written. @throws ApiError parameter_invalid */
  secretOf?(given: PlatformInput): Promise<string | null>;
  /**
   * What it would do to this record now; nothing is locked.
   * @throws ApiError not_found; invalid_state where it cannot be done
   */
  look(db: Db, asked: PlatformAsked): Promise<Seen>;
  /** Does it; what has changed since the look refuses it. */
  run(tx: Db, asked: PlatformAsked, why: PlatformWhy): Promise<PlatformDone>;
  readonly event: SecurityEventName;
}
