import type { Actor } from '@tenant-payments/engine/actor.ts';
import { type Command, command } from '@tenant-payments/engine/command.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { SecurityEventName } from '@tenant-payments/service/operations/security_events.ts';
import type { Notice } from './notices/notices.ts';

export type Facts = Readonly<Record<string, string | readonly string[]>>;

/** The work that a command leaves to be done after its commit: a line of the log, a message, and its result. */
export interface Done<Result> {
  readonly result: Result;
  readonly event: SecurityEventName;
  /** More for the line. */
  readonly facts?: Facts;
  /** The person who did it, where no session calls yet. */
  readonly personId?: string;
  /** The notices that tell of it. */
  readonly notices?: readonly Notice[];
}

/** A command of the platform by which people sign in, or change what is about themselves. */
export interface PersonCommand<in Input, out Result> extends Command<Input> {
  /** Never a value: carries the type alone. */
  readonly is?: Result;
}

interface Parts<Input, Loaded, Result, Prepared>
  extends Pick<Command<Input, Loaded, Prepared>, 'prepare' | 'load'> {
  decide(work: Work, loaded: Loaded, input: Input, prepared: Prepared): Done<Result>;
}

/** Declares one. Its result is neither kept nor sent by the engine: it may be a secret. */
export function personCommand<Input, Loaded, Result, Prepared = undefined>(
  name: string,
  { decide, ...parts }: Parts<Input, Loaded, Result, Prepared>,
): PersonCommand<Input, Result> {
  return command<Input, Loaded, Prepared>(name, {
    ...parts,
    decide: (...given) => ({ value: null, told: decide(...given) }),
  }) as Command<Input>;
}

/** The origin of a request, as the audit names it. */
export interface Asked {
  readonly address: string;
  readonly requestId: string;
  readonly trace?: string | null;
}

/** Somebody who signs in by the command itself. */
export const signingIn = (
  personId: string,
  { address, requestId, trace = null }: Asked,
): Actor => ({
  kind: 'person',
  id: personId,
  personId,
  roles: [],
  address,
  requestId,
  trace,
});
