import type { RailsCall } from '../call.ts';
import type { BankFact, IdentityFact, LinkFact, MessageFact } from '../facts.ts';

/** One line of a provider's check of itself. */
export interface CheckLine {
  readonly ok: boolean;
  /** `signed in`, `sees the account`: never a secret or the number of an account. */
  readonly what: string;
  /** To whoever must mend it; null: there is nothing to do. */
  readonly advice: string | null;
}

/** A message as it was sent to POST /rails/<provider>. */
export interface ProviderRequest {
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBody: Uint8Array;
  readonly query: Readonly<Record<string, string>>;
}

interface Named {
  /** The provider's own id of the message, unique within the provider, 1 to 200 characters. */
  readonly id: string;
  readonly tenantId: string;
}

/** One statement of a message: a fact, and the port that it is for. */
export type Receipt = Named &
  (
    | { readonly port: 'bank'; readonly fact: BankFact }
    | { readonly port: 'identity'; readonly fact: IdentityFact }
    | { readonly port: 'aggregator'; readonly fact: LinkFact }
    | { readonly port: 'messages'; readonly fact: MessageFact }
  );

/** An object of a provider's own that it must remember (rules/rails#13). */
export interface RailObject {
  /** `item`, `counterparty`: a word of the provider. */
  readonly kind: string;
  /** Unique within the provider's kind, in clear: an id of the provider, never the number of an account. */
  readonly key: string;
  readonly tenantId: string;
  /** The uuid of the record that it is about; null: none. */
  readonly record: string | null;
  /** Any JSON value, sealed at rest. */
  readonly value: unknown;
  /**
   * Which writing of it this is, as it was read. Put with it, an object that was written meanwhile is refused; null: one
   * that is there already is refused; absent: it replaces whatever is there.
   */
  readonly revision?: string | null;
}

/** The memory of one provider, which all processes share. */
export interface RailObjects {
  get(kind: string, key: string): Promise<RailObject | null>;
  /** Keeps it, in place of what was kept under its key. @throws Outdated where that is another than its revision says */
  put(object: RailObject): Promise<void>;
  /** The objects of a kind by key, after the key `after`. @param after null: from the first on */
  list(kind: string, after: string | null, limit: number): Promise<readonly RailObject[]>;
  /** The objects kept about a record, by kind and key. */
  byRecord(tenantId: string, record: string): Promise<readonly RailObject[]>;
}

/** The context that each call of a provider is given. */
export interface ProviderContext extends RailsCall {
  readonly objects: RailObjects;
}

/** The parts that a provider has from its opening on. */
export interface ProviderOpening {
  readonly objects: RailObjects;
  /** Reports what the answer to a call has said: it is kept, then acted on, as what is sent (rules/rails#6). */
  report(receipts: readonly Receipt[]): Promise<void>;
}

/** The findings of a poll, and where the next one begins. */
export interface PollResult {
  /** Kept once the receipts are. */
  readonly cursor: string | null;
  readonly receipts: readonly Receipt[];
}

/** One outside service: how its messages come in, and whether it can be reached (rules/rails#1). */
export interface Provider {
  /** Its place in POST /rails/<name>, in metrics and in lists: small letters, digits and `-`. */
  readonly name: string;
  /** Headers that are kept with a message, beside `content-type` and `user-agent`. */
  readonly keptHeaders?: readonly string[];
  /** Called once in each process, before it takes messages and polls. */
  open?(given: ProviderOpening): void;
  /** Whether it can be reached with these settings. It moves nothing. */
  check?(call: RailsCall): Promise<readonly CheckLine[]>;
  /**
   * Reads a message that was sent; it verifies before it parses.
   * @throws Unverified, Malformed; anything else is a fault of the provider, and the message comes again
   */
  receive?(request: ProviderRequest, context: ProviderContext): Promise<readonly Receipt[]>;
  /** Asks for what is new; it also finds messages that were lost on their way. */
  readonly poll?: {
    readonly everySeconds: number;
    /** @param cursor that of the last poll; null: there was none */
    run(cursor: string | null, context: ProviderContext): Promise<PollResult>;
  };
}

/** 401: nobody knows who sent the message, or it is too old. A module of its own throws an Error of this `name`. */
export class Unverified extends Error {
  override readonly name = 'Unverified';
}

/** 400: the message is verified, and cannot be read. A module of its own throws an Error of this `name`. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** An object was written by somebody else since it was read: it is read again before it is changed. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
}

/** Whether somebody's error is one of these two: a module is not compiled with the service. */
export const isNamed = (error: unknown, name: 'Unverified' | 'Malformed'): boolean =>
  error instanceof Error && error.name === name;

const nameForm = /^[a-z][a-z0-9-]{0,31}$/;

/** The faults of a module's providers, a line each. */
export function faultsOfProviders(providers: readonly Provider[]): readonly string[] {
  const names = new Set<string>();
  return providers.flatMap((provider) => {
    const { name, poll } = provider;
    if (typeof name !== 'string' || !nameForm.test(name))
      return ['a provider has no name of small letters, digits and -'];
    if (names.has(name)) return [`two providers are named ${name}`];
    names.add(name);
    const methods = ['open', 'check', 'receive'] as const;
    const noFunctions = methods
      .filter((method) => provider[method] && typeof provider[method] !== 'function')
      .map((method) => `the ${method} of the provider ${name} is no function`);
    const isPoll = !poll || (typeof poll.run === 'function' && poll.everySeconds >= 1);
    return isPoll
      ? noFunctions
      : [...noFunctions, `the poll of the provider ${name} needs everySeconds from 1 on and run`];
  });
}
