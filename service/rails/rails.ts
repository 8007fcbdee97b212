import type { Command } from '@tenant-payments/engine/command.ts';
import type { RailsJobName } from '@tenant-payments/engine/job_names.ts';
import type { Aggregator } from './aggregator.ts';
import type { Bank } from './bank.ts';
import type { Inbound } from './facts.ts';
import type { Identity } from './identity.ts';
import type { Messages } from './messages.ts';
import type { Provider } from './providers/provider.ts';

/** The outside services of this deployment. The module of `RAILS` exports them as `rails`. */
export interface Rails {
  readonly identity: Identity;
  readonly aggregator: Aggregator;
  readonly bank: Bank;
  readonly messages: Messages;
  /** The providers whose messages come to POST /rails/<name> or are polled, and that can be checked (rules/rails#1). */
  readonly providers?: readonly Provider[];
  /** Jobs of its own. */
  readonly jobs?: Readonly<Partial<Record<RailsJobName, Command<{ ref: string }>>>>;
  /** Called once in each process, before it is ready: from now on report facts to `inbound`. */
  listen?(inbound: Inbound): void;
  /** Reports nothing more, and resolves when the facts under way have been taken. */
  close?(): Promise<void>;
}
