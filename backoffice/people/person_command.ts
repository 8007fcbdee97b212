import type { Actor } from '@tenant-payments/engine/actor.ts';
import { type Command, command } from '@tenant-payments/engine/command.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { SecurityEventName } from '@tenant-payments/service/operations/security_events.ts';
import type { Notice } from './notices/notices.ts';

export type Facts = Readonly<Record<string, string | readonly string[]>>;

/** An outcome of a command: its result, and the log line and notices that follow its commit. */
export interface Done<Result> {
  readonly result: Result;
  readonly event: SecurityEventName;
  /** Further facts for the log line. */
  readonly facts?: Facts;
  /** The person who did it, if the call came without a session. */
  readonly personId?: string;
  /** The messages that tell people of it. */
  readonly notices?: readonly Notice[];
}

/** A command by which people sign in, or change their own passkeys, sessions and other data. */
export interface PersonCommand<in Input, out Result> extends Command<Input> {
  /** Never set: it only carries the type of the result. */
  readonly is?: Result;
}

interface Parts<Input, Loaded, Result, Prepared>
  extends Pick<Command<Input, Loaded, Prepared>, 'prepare' | 'load'> {
  decide(work: Work, loaded: Loaded, input: Input, prepared: Prepared): Done<Result>;
}

/** Declares a command of a person. The engine neither keeps nor sends its result, which may be a secret. */
export function personCommand<Input, Loaded, Result, Prepared = undefined>(
  name: string,
  { decide, ...parts }: Parts<Input, Loaded, Result, Prepared>,
): PersonCommand<Input, Result> {
  return command<Input, Loaded, Prepared>(name, {
    ...parts,
    decide: (...given) => ({ value: null, told: decide(...given) }),
  }) as Command<Input>;
}

/** The origin of a request, as the audit records it. */
export interface Asked {
  readonly address: string;
  readonly requestId: string;
  readonly trace?: string | null;
}

/** The actor of a command that itself signs the person in: there is no session yet, so no roles. */
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
