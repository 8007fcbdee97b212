import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { SecurityEventName } from '@tenant-payments/service/operations/security_events.ts';
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

/** What is asked for: the record, and what the act takes. */
export interface PlatformAsked {
  readonly id: string;
  readonly given: PlatformGiven;
  /** Sealed, and apart from what is shown. */
  readonly secret: string | null;
}

export interface PlatformWhy {
  readonly note: string;
  /** In real time. */
  readonly now: Instant;
  readonly maker: Pick<Actor, 'kind' | 'id' | 'personId'>;
}

/** What the audit shows of an act that is done, and what follows the commit. */
export interface PlatformDone {
  readonly after: object;
  /** @returns a link that is shown to the approver once; null: none */
  readonly committed?: () => string | null;
}

/** An act on the platform, as parts of the command that asks for it and of the one that approves it. */
export interface PlatformAct<Ready = unknown, Loaded = unknown> {
  /** What it takes beside the record, all of it required; absent: nothing. */
  readonly takes?: readonly (keyof PlatformGiven)[];
  /** Seals what of it nobody sees again, before anything is written. @throws ApiError parameter_invalid */
  secretOf?(given: PlatformInput): Promise<string | null>;
  /** What it asks before the batch. @throws ApiError where it cannot be done */
  prepare?(asked: PlatformAsked): Promise<Ready>;
  load(read: Read, asked: PlatformAsked, ready: Ready): Promise<Loaded>;
  /**
   * What it would do to this record now.
   * @throws ApiError not_found; invalid_state where it cannot be done
   */
  look(loaded: Loaded, asked: PlatformAsked): Seen;
  /** Does it. */
  run(
    work: Work,
    loaded: Loaded,
    asked: PlatformAsked,
    why: PlatformWhy & { readonly ready: Ready },
  ): PlatformDone;
  readonly event: SecurityEventName;
}

/** Declares an act and infers what its `load` hands to `look` and `run`. */
export const platformAct = <Loaded, Ready = undefined>(
  act: PlatformAct<Ready, Loaded>,
): PlatformAct => act as unknown as PlatformAct;
