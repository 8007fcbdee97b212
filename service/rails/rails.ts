import type { Jobs } from '../jobs/registry.ts';
import type { Aggregator } from './aggregator.ts';
import type { Bank } from './bank.ts';
import type { Identity } from './identity.ts';
import type { Inbound } from './inbound.ts';
import type { Messages } from './messages.ts';

/** The outside, as this deployment reaches it. The module of `RAILS` exports it as `rails`. */
export interface Rails {
  readonly identity: Identity;
  readonly aggregator: Aggregator;
  readonly bank: Bank;
  readonly messages: Messages;
  /** jobs of its own; no name of the service's. */
  readonly jobs?: Jobs;
  /** Called once in each process, before it is ready: from now on `inbound` takes what happens outside. */
  listen?(inbound: Inbound): void;
  /** Tells nothing more, and resolves when what it was telling has been taken. */
  close?(): Promise<void>;
}
