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

/** The parameters that are sent with a request. */
export type PlatformInput = Pick<
  BodyOf<typeof createPlatformApproval>,
  'email' | 'roles' | 'provider'
>;

/** The record that an act is about, and the parameters of the act. */
export interface PlatformAsked {
  readonly id: string;
  readonly given: PlatformGiven;
  /** The sealed part, kept apart from what is shown; null: none. */
  readonly secret: string | null;
}

export interface PlatformWhy {
  readonly note: string;
  /** The real time, not that of a Tenant's clock. */
  readonly now: Instant;
  readonly maker: Pick<Actor, 'kind' | 'id' | 'personId'>;
}

/** The audit's view of an act that is done, and the step that follows its commit. */
export interface PlatformDone {
  readonly after: object;
  /** @returns a link that is shown to the approver once; null: none */
  readonly committed?: () => string | null;
}

/** An act on the platform, as parts of the command that asks for it and of the one that approves it. */
export interface PlatformAct<Ready = unknown, Loaded = unknown> {
  /** The parameters that the act takes beside the record, all of them required; absent: none. */
  readonly takes?: readonly (keyof PlatformGiven)[];
  /**
   * Seals the part that nobody sees again, before anything is written.
   * @throws ApiError parameter_invalid
   */
  secretOf?(given: PlatformInput): Promise<string | null>;
  /** Reads before the batch what the act needs. @throws ApiError where the act cannot be done */
  prepare?(asked: PlatformAsked): Promise<Ready>;
  load(read: Read, asked: PlatformAsked, ready: Ready): Promise<Loaded>;
  /**
   * Tells what the act would do to this record now.
   * @throws ApiError not_found; invalid_state where it cannot be done
   */
  look(loaded: Loaded, asked: PlatformAsked): Seen;
  /** Does the act. */
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
