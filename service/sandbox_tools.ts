import type { BankView } from '@tenant-payments/contract/hosted/bank.ts';
import type { EventType } from '@tenant-payments/contract/lifecycles.ts';
import type { Chaos as ChaosSetting } from '@tenant-payments/contract/portal/chaos.ts';
import type { Command } from './core/command.ts';
import type { DeliveryFaults } from './webhooks/dispatch/delivery_fault.ts';

/**
 * Faults that a Tenant sets to test its own code (rules/sandbox#28). They are repeatable: the same
 * setting and the same calls and events since it was put have the same faults.
 */
export interface Chaos extends DeliveryFaults {
  get(tenantId: string): Promise<ChaosSetting>;
  /** Replaces the setting and counts anew. In force at once here, in other processes after 1 s. */
  put(tenantId: string, setting: ChaosSetting, at: string): Promise<ChaosSetting>;
  /**
   * Counts a call of the API where the tenant's setting strikes calls.
   * @throws ApiError internal_error, 503: this call is struck, and nothing has happened
   */
  strikeCall(tenantId: string): Promise<void>;
}

export interface SampleEventInput {
  readonly type: EventType;
  readonly object_id?: string;
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

/** What a sandbox offers to test one's code with, besides simulate and the clock. */
export interface SandboxTools {
  readonly chaos: Chaos;
  /** Makes a sample event and replies with it (rules/sandbox#35). */
  readonly sampleEvent: Command<SampleEventInput>;
  readonly bank: BankWidget;
  /** The value of every message's code; the page shows it. */
  readonly messageCode: string;
}
