import type { IdKind } from '@tenant-payments/contract/core/ids.ts';
import type { BankView } from '@tenant-payments/contract/hosted/bank.ts';
import type { EventType } from '@tenant-payments/contract/lifecycles.ts';
import type { SimulateName } from '@tenant-payments/contract/resources/simulations.ts';
import type { Chaos as ChaosSetting } from '@tenant-payments/contract/sandbox/chaos.ts';
import type { Magic } from '@tenant-payments/contract/sandbox/magic.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { DeliveryFaults } from './webhooks/dispatch/delivery_fault.ts';

/**
 * Faults that a Tenant sets to test its own code (rules/sandbox#28). They are repeatable: the same
 * setting and the same calls and events since it was put have the same faults.
 */
export interface Chaos extends DeliveryFaults {
  get(db: Kysely<Database>, tenantId: string): Promise<ChaosSetting>;
  /** Replaces the setting and counts anew. In force within 1 s of its commit. */
  readonly put: Command<Partial<ChaosSetting>>;
  /** Puts the committed setting in force here at once. */
  forget(): void;
  /**
   * Counts a call of the API where the tenant's setting strikes calls.
   * @throws ApiError internal_error, 503: this call is struck, and nothing has happened
   */
  strikeCall(tenantId: string): Promise<void>;
}

export interface SampleEventInput {
  readonly type: EventType;
  readonly object_id?: string;
  /** Shown in place of the record. */
  readonly object?: Record<string, unknown>;
  /** The uuid of the only secret that signs it; absent: every active one does. */
  readonly signedBy?: string;
  /** The id of a further endpoint, to which alone it goes; absent: to all that get its type. */
  readonly endpoint_id?: string;
}

/** The event to simulate, its record, and its failure (rules/sandbox#4). */
export interface SimulateInput {
  readonly event: string;
  readonly object_id: string;
  readonly failure_code?: string | null;
}

export interface Simulator {
  /** Replies with a `SimulationResult`. */
  readonly simulate: Command<SimulateInput>;
  /** The simulations that act on a record of this kind. */
  readonly of: (kind: IdKind) => readonly SimulateName[];
}

export interface BankChoice {
  readonly link_token: string;
  readonly bank: string;
  readonly account_id?: string | null;
}

/** Sandbox Bank, the widget that a real aggregator would bring (rules/sandbox#27). */
export interface BankWidget {
  /** @throws ApiError session_invalid {reason}: unknown, expired */
  open(linkToken: string): Promise<BankView>;
  /** @throws ApiError parameter_invalid: no such bank or account; session_invalid {reason} */
  choose(
    choice: BankChoice,
  ): Promise<{ public_token: string; aggregator_account_id: string | null }>;
}

/** The tools of a sandbox to test one's code with, besides simulate and the clock. */
export interface SandboxTools {
  readonly chaos: Chaos;
  /** Makes a sample event and replies with it (rules/sandbox#35). */
  readonly sampleEvent: Command<SampleEventInput>;
  readonly simulator: Simulator;
  readonly bank: BankWidget;
  /** The value of every message's code; the page shows it. */
  readonly messageCode: string;
  /** The sample people, and what has a fixed outcome (rules/sandbox#18). */
  readonly magic: Magic;
}
