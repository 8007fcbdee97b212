import { type IdKind, idPrefixes, uuidOfDigits } from '@tenant-payments/contract/core/ids.ts';
import { type RawBuilder, sql } from 'kysely';
import { isTableKind, type TableKind, tableOf } from './kinds.ts';

/** A way to find records of one kind, as SQL on its table `r`. */
export interface Way {
  readonly kind: TableKind;
  /** The text that a hit was found by. */
  readonly title: RawBuilder<unknown>;
  /** Met by an index that begins with the Tenant, unless it looks through the newest. */
  readonly where: RawBuilder<unknown>;
  /** The index's own order, so that the first rows are read and no more. */
  readonly order?: RawBuilder<unknown>;
  /**
   * The columns, besides the id, by which the newest records are looked through where no index
   * finds them.
   */
  readonly looksAt?: readonly string[];
}

/** Sorts behind every text with the same beginning. */
const last = '\u{10ffff}';

/** Range of a pattern index, which is served the same whatever is asked: no plan depends on the text. */
function beginsWith(indexed: RawBuilder<unknown>, text: string) {
  return {
    where: sql`${indexed} ~>=~ ${text} and ${indexed} ~<~ ${text + last}`,
    order: sql`${indexed} using ~<~`,
  };
}

/**
 * Exactly this text, as a range: of a column that is equal the planner may leave the index for the primary key, whose
 * order it has, and read a whole Tenant.
 */
const is = (indexed: RawBuilder<unknown>, text: string) =>
  sql`${indexed} between ${text} and ${text}`;
const newest = (indexed: RawBuilder<unknown>) => sql`${indexed} desc, r.id desc`;

const called = sql`lower(coalesce(r.trading_name, r.given_name || coalesce(' ' || r.family_name, '')))`;
const registered = sql`lower(coalesce(r.legal_name, r.family_name || coalesce(' ' || r.given_name, '')))`;
const address = sql`lower(r.email)`;
const phone = sql`r.mobile_last4`;

const shortestBeginning = 2;

/** Customers by what names a person: for whoever may see personal data. */
function ofPeople(text: string): Way[] {
  const small = text.toLowerCase().replaceAll(/\s+/g, ' ');
  const digits = text.replaceAll(/[\s().+-]/g, '');
  const kind = 'customer' as const;
  const isPhone = /^(?:\d{4}|1?\d{10})$/.test(digits);
  if (small.length < shortestBeginning) return [];
  return [
    { kind, title: sql`r.email`, ...beginsWith(address, small) },
    {
      kind,
      title: sql`coalesce(r.trading_name, concat_ws(' ', r.given_name, r.family_name))`,
      ...beginsWith(called, small),
    },
    {
      kind,
      title: sql`coalesce(r.legal_name, concat_ws(' ', r.given_name, r.family_name))`,
      ...beginsWith(registered, small),
    },
    ...(isPhone
      ? [
          {
            kind,
            title: sql`${'…'} || r.mobile_last4`,
            where: is(phone, digits.slice(-4)),
            order: newest(phone),
          },
        ]
      : []),
  ];
}

const references = [
  ['customer', 'external_ref'],
  ['payment', 'order_reference'],
  ['payment', 'invoice_reference'],
  ['payment_request', 'order_reference'],
  ['payment_request', 'collection_reference'],
] as const;

const byReference = (text: string): Way[] =>
  references.map(([kind, column]) => {
    const held = sql.ref(`r.${column}`);
    // One customer has a reference, so its index ends there.
    const order = column === 'external_ref' ? sql`${held} desc` : newest(held);
    return { kind, title: held, where: is(held, text), order };
  });

const kindByPrefix = new Map(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix as string, kind as IdKind]),
);
const digitsInId = 32;

/** The beginning of an id, `pay_019c`, or an id as pages shorten it, `pay_…9ae2f1`. */
function byPartOfId(text: string): Way[] {
  const [, prefix = '', begin = '', end = ''] =
    /^([a-z]+)_([0-9a-f]*)(?:(?:…|\.\.\.)([0-9a-f]{4,12}))?$/.exec(text.toLowerCase()) ?? [];
  const kind = kindByPrefix.get(prefix);
  if (kind === undefined || !isTableKind(kind) || begin.length >= digitsInId) return [];
  const title = sql`${`${prefix}_`} || replace(r.id::text, '-', '')`;
  if (end !== '')
    return [{ kind, title, where: sql`right(r.id::text, ${end.length}) = ${end}`, looksAt: [] }];
  const first = uuidOfDigits(begin.padEnd(digitsInId, '0'));
  const final = uuidOfDigits(begin.padEnd(digitsInId, 'f'));
  return [{ kind, title, where: sql`r.id between ${first}::uuid and ${final}::uuid` }];
}

const amounts = [
  ['payment', 'amount'],
  ['payment_request', 'amount'],
  ['load', 'amount'],
  ['withdrawal', 'amount'],
  ['refund', 'amount'],
  ['dispute', 'disputed_cents'],
] as const;

/** The cents of `$80.00`, `1,250.5` or `80`; null: it is no amount. */
export function centsIn(text: string): number | null {
  const [, dollars, cents = ''] =
    /^\$?\s?(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (dollars === undefined) return null;
  return Number(dollars.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'));
}

function byAmount(text: string): Way[] {
  const cents = centsIn(text);
  if (cents === null) return [];
  return amounts.map(([kind, column]) => {
    const held = sql.ref(`r.${column}`);
    const title = sql`to_char(${held} / 100.0, 'FM$999,999,999,990.00')`;
    return { kind, title, where: sql`${held} = ${cents}`, looksAt: [column] };
  });
}

/** How records are found by this text. @param isAllowed the caller may see personal data */
export const waysOf = (text: string, isAllowed: boolean): Way[] => [
  ...byPartOfId(text),
  ...byReference(text),
  ...(isAllowed ? ofPeople(text) : []),
  ...byAmount(text),
];

const shortestPart = 3;

/** The ways that look for a part of a reference or an address, once nothing else was found. */
export function partsOf(text: string, isAllowed: boolean): Way[] {
  if (text.length < shortestPart) return [];
  const columns = isAllowed ? [...references, ['customer', 'email'] as const] : references;
  return columns.map(([kind, column]) => {
    const held = sql.ref(`r.${column}`);
    const where = sql`position(lower(${text}) in lower(${held})) > 0`;
    return { kind, title: held, where, looksAt: [column] };
  });
}

/** Records of a Tenant that are looked through: the newest of its kind; of many Tenants fewer of each. */
const lookedThrough = { most: 5_000, least: 100, ofAll: 50_000 } as const;

const shareOf = (tenants: number): number =>
  Math.max(
    lookedThrough.least,
    Math.min(lookedThrough.most, Math.floor(lookedThrough.ofAll / tenants)),
  );

/** The records of these Tenants that a way finds, the newest first: of each as many as are shown. */
export function foundBy(tenants: readonly string[], way: Way, count: number): RawBuilder<Found> {
  const { kind, title, where, order = sql`r.id desc`, looksAt } = way;
  const table = sql.table(tableOf[kind].name);
  const columns = sql.join(['tenant_id', 'id', ...(looksAt ?? [])].map((one) => sql.ref(one)));
  const from = looksAt
    ? sql`(select ${columns} from ${table} where tenant_id = k.tenant_id
        order by id desc limit ${shareOf(tenants.length)}) r where ${where}`
    : sql`${table} r where r.tenant_id = k.tenant_id and ${where}`;
  return sql<Found>`select f.tenant_id, f.id, f.title from unnest(${tenants}::uuid[]) k(tenant_id)
    cross join lateral (select r.tenant_id, r.id, ${title} as title from ${from}
      order by ${order} limit ${count}) f
    order by f.id desc limit ${count}`;
}

/** A record that a way has found. */
export interface Found {
  readonly tenant_id: string;
  readonly id: string;
  readonly title: string;
}
