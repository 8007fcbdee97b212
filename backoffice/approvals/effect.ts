import { type IdKind, idPrefixes, publicId } from '@tenant-payments/contract/core/ids.ts';
import { changedLeaves } from '@tenant-payments/contract/core/setting_leaves.ts';
import { recipeOf } from '@tenant-payments/contract/recipes.ts';
import { OwnBankFacts } from '@tenant-payments/contract/resources/own_bank_accounts.ts';
import { entityFor } from '@tenant-payments/engine/entity.ts';
import type { AnyPosting } from '@tenant-payments/engine/ledger.ts';
import { type SettingsRow, unprovenSettings } from '@tenant-payments/engine/settings.ts';
import type { AnyTable } from '@tenant-payments/engine/table.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { ledgerProofs } from '@tenant-payments/service/invariants/acknowledge.ts';
import { unacknowledged } from '@tenant-payments/service/invariants/acknowledged.ts';
import { violationsColumn } from '@tenant-payments/service/invariants/keep_proof.ts';
import {
  inForceColumn,
  ownBankAccounts,
} from '@tenant-payments/service/resources/own_bank_accounts/table.ts';
import type { ApprovalEffect } from '../contract/operate/approvals.ts';

/** Texts may be about a person; the engine's own columns say nothing. */
const isShown = ({ columns }: AnyTable, field: string): boolean =>
  field === 'status' ||
  (!['version', 'updated_at'].includes(field) &&
    ['integer', 'bigint', 'boolean', 'timestamptz', 'date'].includes(columns[field]?.pg ?? ''));

export type Values = Readonly<Record<string, unknown>>;
type Changes = ApprovalEffect['changes'];

const idIn = (kind: string, id: string) =>
  Object.hasOwn(idPrefixes, kind) ? publicId(kind as IdKind, id) : id;

const rowIn = (values: Values) => values as Values & SettingsRow;

/** A Tenant's settings value by value; they say nothing of a person. */
const settingsChanges = (before: SettingsRow, after: SettingsRow) =>
  changedLeaves(unprovenSettings(before), unprovenSettings(after));

/** The violations of a proof: an approver sees all that raise no alarm any more, or that raise it again. */
const acknowledged = ({ violations, acknowledged_at: before }: Values): Changes =>
  unacknowledged(violationsColumn.read(null, violations)).map(
    ({ invariant, subject, message }) => ({
      object: 'violation',
      id: subject,
      field: invariant,
      ...(before === null
        ? { before: message, after: 'acknowledged' }
        : { before: 'acknowledged', after: message }),
    }),
  );

/** The facts of a Tenant's own bank account one by one: an approver compares them with the bank's. */
const bankAccountChanges = ({ in_force, role }: Values, after: Values): Changes => {
  const [was, is] = [in_force, after.in_force].map((facts) =>
    facts === null ? null : inForceColumn.read(null, facts),
  );
  return (Object.keys(OwnBankFacts.properties) as (keyof OwnBankFacts)[])
    .map((field) => ({ field, before: was?.[field] ?? null, after: is?.[field] ?? null }))
    .filter((change) => change.before !== change.after)
    .map((change) => ({ object: 'own_bank_account', id: String(role), ...change }));
};

function changesOf(row: object, before: Values): Changes {
  const { table, tenantId, row: after } = entityFor(row);
  if (table.name === tenants.name)
    return settingsChanges(rowIn(before), rowIn(after)).map((change) => ({
      object: 'settings',
      id: tenantId,
      ...change,
    }));
  if (table.name === ledgerProofs.name) return acknowledged(before);
  if (table.name === ownBankAccounts.name) return bankAccountChanges(before, after);
  const object = table.lifecycle?.resource ?? table.name;
  const id = idIn(object, table.key.map((name) => String(after[name])).join(' '));
  return Object.keys(table.columns)
    .filter((field) => isShown(table, field) && before[field] !== after[field])
    .map((field) => {
      const value = (of: Values) => (of[field] ?? null) as Changes[number]['before'];
      return { object, id, field, before: value(before), after: value(after) };
    });
}

/** A recipe's transfers with their accounts. Those of zero are not posted. */
function postingsOf({ recipe, parties, amounts }: AnyPosting): ApprovalEffect['postings'] {
  const place = (name: string) => {
    const [party = '', pocket = ''] = name.split('.');
    const account = parties[party];
    return account === undefined ? name : `${publicId('account', account)}.${pocket}`;
  };
  return recipeOf(recipe)
    .transfers.map(([from, to, name]) => ({
      from: place(from),
      to: place(to),
      amount: amounts[name] ?? 0,
    }))
    .filter(({ amount }) => amount > 0);
}

/** A verb of `work` that says first what it is given. */
const telling = <Verb extends (...args: never[]) => unknown>(
  verb: Verb,
  tell: (args: readonly unknown[]) => void,
): Verb =>
  ((...args: never[]) => {
    tell(args);
    return verb(...args);
  }) as Verb;

/** A row that a command has changed. */
interface Changed {
  readonly table: string;
  readonly before: Values;
  readonly after: Values;
}

/** The postings and the changed rows of a command. */
export interface Done {
  readonly postings: readonly AnyPosting[];
  readonly changed: readonly Changed[];
}

/** A watch over the verbs that a command is given: it notes what the command does. */
export interface Watched {
  /** The verbs for the command, each of which is noted. */
  readonly work: Work;
  /** The effect as people are shown it. */
  effect(): ApprovalEffect;
  done(): Done;
}

export function watch(work: Work): Watched {
  const rows = new Map<object, Values>();
  const postings: AnyPosting[] = [];
  const note = (row: unknown) => {
    const known = row as object;
    if (!rows.has(known)) rows.set(known, { ...entityFor(known).row });
  };
  const posted = (posting: unknown) => {
    if (posting) postings.push(posting as AnyPosting);
  };
  const postOf = (options: unknown) => posted((options as { post?: AnyPosting } | undefined)?.post);
  return {
    work: {
      ...work,
      create: telling(work.create, ([, , , options]) => postOf(options)),
      move: telling(work.move, ([row, , options]) => {
        note(row);
        postOf(options);
      }),
      change: telling(work.change, ([row]) => note(row)),
      post: telling(work.post, ([, posting]) => posted(posting)),
    },
    effect: () => ({
      postings: postings.flatMap(postingsOf),
      changes: [...rows].flatMap(([row, before]) => changesOf(row, before)),
    }),
    done: () => ({
      postings,
      changed: [...rows].map(([known, before]) => {
        const { table, row: after } = entityFor(known);
        return { table: table.name, before, after: { ...after } };
      }),
    }),
  };
}
