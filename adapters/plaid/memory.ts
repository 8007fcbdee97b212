import { createHash } from 'node:crypto';
import type { IdentityFact, LinkFact } from '@tenant-payments/service/rails/facts.ts';
import type { Applicant, IdentityAnswers } from '@tenant-payments/service/rails/identity.ts';
import {
  Outdated,
  type ProviderOpening,
  type RailObject,
  type RailObjects,
  type Receipt,
} from '@tenant-payments/service/rails/providers/provider.ts';

/** The memory of Plaid's items, accounts and verifications (rules/rails#13). All of it is sealed but the keys, which are ids of Plaid or hashes. */

/** A connection to a bank, which a customer made by one public token. By `item_id`. */
export interface Item {
  /** Null: it was removed at Plaid. */
  readonly accessToken: string | null;
  readonly accountIds: readonly string[];
  /** The customer has withdrawn the consent. */
  readonly isRevoked: boolean;
  /** Epoch milliseconds from which the bank gives nothing any more, unless the customer signs in; null: none. */
  readonly endsAtMs: number | null;
  /** The time from which it waits for a link, in epoch milliseconds; absent: it has one, or nobody has looked yet. */
  readonly idleSinceMs?: number;
}

/** An account of an item, by its reference. */
export interface Account {
  /** How much its holder is the customer; null: the bank does not say; absent: nobody has asked yet. */
  readonly score?: number | null;
  /** A hash of its numbers, to see a change; null: it has none. */
  readonly numbersHash: string | null;
  readonly state: 'fine' | 'needs_login' | 'revoked';
  /** Nothing is paid to it any more. */
  readonly isRemoved: boolean;
  readonly changes: number;
  /** The newest report of it, which is made again until it is old: the same id is taken once. */
  readonly said: readonly { readonly fact: LinkFact; readonly atMs: number }[];
}

/** Somebody who has applied, by the uuid of the customer or owner. */
export interface Applied {
  /** The data that Plaid is still to be told; null: it was told, or is not asked about this applicant. */
  readonly told: Pick<Applicant, 'data' | 'contact'> | null;
  readonly hasConsented: boolean;
  readonly answers: IdentityAnswers['answers'];
  /** The newest attempt at Plaid, and since when the application waits that it is for; null: none. */
  readonly attempt: { readonly id: string; readonly since: string } | null;
}

/** An attempt to verify somebody, by Plaid's id of it. */
export interface Verification {
  readonly subjectId: string;
  readonly startedAtMs: number;
  /** The state that was told last; null: none was. */
  readonly state: string | null;
  readonly changes: number;
  /** Lately, and made again until it is old: the same id is taken once. */
  readonly said: readonly { readonly fact: IdentityFact; readonly atMs: number }[];
}

interface Remembered {
  readonly item: Item;
  readonly account: Account;
  /** By the hash of a public token. */
  readonly exchange: { readonly itemId: string };
  /** Tokens of Link of a customer, by their id. */
  readonly link_tokens: { readonly tokens: readonly { token: string; atMs: number }[] };
  /** By the hash of a token of Link in update mode. */
  readonly update: { readonly itemId: string };
  readonly applied: Applied;
  readonly verification: Verification;
}
type Kind = keyof Remembered;

export type Kept<K extends Kind> = Omit<RailObject, 'value' | 'kind'> & {
  readonly value: Remembered[K];
};

type Change<K extends Kind> = (now: Kept<K> | null) => Omit<Kept<K>, 'key'> | null;

export interface Memory {
  get<K extends Kind>(kind: K, key: string): Promise<Kept<K> | null>;
  /**
   * Writes what becomes of what is kept now: it is read again where another call has written meanwhile, so that neither
   * of two loses what the other has said.
   * @param to of null: nothing is kept yet. Null: it stays as it is
   * @returns as it is kept then
   */
  change<K extends Kind>(kind: K, key: string, to: Change<K>): Promise<Kept<K> | null>;
  list<K extends Kind>(kind: K, after: string | null, limit: number): Promise<readonly Kept<K>[]>;
  report(receipts: readonly Receipt[]): Promise<void>;
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Both halves are letters and digits. */
export const referenceOf = (itemId: string, accountId: string): string => `${itemId}/${accountId}`;
export function idsOf(reference: string): { readonly itemId: string; readonly accountId: string } {
  const [itemId = '', accountId = ''] = reference.split('/');
  return { itemId, accountId };
}

/** Sets fields of something that is remembered; what is not remembered stays so. */
export const set = <K extends Kind>(
  memory: Pick<Memory, 'change'>,
  kind: K,
  key: string,
  fields: Partial<Remembered[K]>,
): Promise<Kept<K> | null> =>
  memory.change(kind, key, (now) => now && { ...now, value: { ...now.value, ...fields } });

/** The accounts of an item that are remembered. */
export async function accountsOf(
  memory: Pick<Memory, 'get'>,
  { key, value }: Kept<'item'>,
): Promise<readonly Kept<'account'>[]> {
  const found = await Promise.all(
    value.accountIds.map((id) => memory.get('account', referenceOf(key, id))),
  );
  return found.filter((one) => one !== null);
}

/** So many calls at once about one object do not come. */
const mostTimes = 10;

/** A memory that is given its place later, before anything is asked of it. */
export function openMemory(): Memory & { open(given: ProviderOpening): void } {
  let opened: ProviderOpening | null = null;
  const given = (): ProviderOpening => {
    if (!opened) throw new Error('the provider plaid is not opened');
    return opened;
  };
  const objects = (): RailObjects => given().objects;
  return {
    open(opening) {
      opened = opening;
    },
    get: async <K extends Kind>(kind: K, key: string) =>
      (await objects().get(kind, key)) as Kept<K> | null,
    async change<K extends Kind>(kind: K, key: string, to: Change<K>) {
      for (let times = 1; ; times += 1) {
        const now = (await objects().get(kind, key)) as Kept<K> | null;
        const after = to(now);
        if (!after) return now;
        const { tenantId, record, value } = after;
        const written = { kind, key, tenantId, record, value };
        try {
          await objects().put({ ...written, revision: now?.revision ?? null });
          return { key, tenantId, record, value };
        } catch (error) {
          if (!(error instanceof Outdated) || times === mostTimes) throw error;
        }
      }
    },
    list: async <K extends Kind>(kind: K, after: string | null, limit: number) =>
      (await objects().list(kind, after, limit)) as readonly Kept<K>[],
    report: (receipts) => given().report(receipts),
  };
}
