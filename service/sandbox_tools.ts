import type { BankView } from '@tenant-payments/contract/hosted/bank.ts';
import type { EventType } from '@tenant-payments/contract/lifecycles.ts';
import type { Chaos as ChaosSetting } from '@tenant-payments/contract/portal/chaos.ts';
import type { Command } from './core/command.ts';
import type { DeliveryFaults } from './webhooks/dispatch/delivery_fault.ts';

/**
 * Faults that a Tenant asks for, to try its own code (contract: Events, last part). They are
 * repeatable: the same setting and the same calls and events since it was put meet the same faults.
 */
export interface Chaos extends DeliveryFaults {
  get(tenantId: string): Promise<ChaosSetting>;
  /** Replaces the setting and begins to count anew. In force at once here, elsewhere after 1 s. */
  put(tenantId: string, setting: ChaosSetting, at: string): Promise<ChaosSetting>;
  /**
   * Counts a call of the API, if the tenant's are to be struck.
   * @throws ApiError internal_error, 503: this one is, and nothing has happened
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

/** The widget that an aggregator would bring (surfaces, The sandbox's aggregator). */
export interface BankWidget {
  /** @throws ApiError session_invalid {reason}: unknown, expired */
  open(linkToken: string): Promise<BankView>;
  /** @throws ApiError parameter_invalid: no such bank or account; session_invalid {reason} */
  choose(
    choice: BankChoice,
  ): Promise<{ public_token: string; aggregator_account_id: string | null }>;
}

/** What a sandbox offers to try one's code with, beside simulate and the clock. */
export interface SandboxTools {
  readonly chaos: Chaos;
  /** Makes a sample event and answers it (decisions 1.1, Webhook delivery). */
  readonly sampleEvent: Command<SampleEventInput>;
  readonly bank: BankWidget;
}
