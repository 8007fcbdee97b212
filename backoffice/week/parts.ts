import { anyIdOf, type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { type Kysely, sql } from 'kysely';

interface Part {
  readonly kind: IdKind;
  readonly table: string;
  /** The column with the record that it belongs to. */
  readonly of: string;
  readonly status?: string;
}

/** Records that belong to another one, of several the latest. */
const parts = {
  account: { kind: 'account', table: 'accounts', of: 'customer_id' },
  link: { kind: 'linked_account', table: 'linked_accounts', of: 'customer_id' },
  document: {
    kind: 'document_acceptance',
    table: 'documents',
    of: 'customer_id',
    status: 'accepted',
  },
  session: { kind: 'session', table: 'sessions', of: 'customer_id', status: 'created' },
  suspense: { kind: 'adjustment', table: 'suspense', of: 'source_id' },
} as const satisfies Readonly<Record<string, Part>>;

const isPart = (name: string): name is keyof typeof parts => Object.hasOwn(parts, name);

/** @returns the uuid of a record, by the id that names it */
export function uuidIn(id: string): string {
  const found = anyIdOf(id);
  if (found === null) throw new Error(`${id} is no id`);
  return found.uuid;
}

/** @returns the id of `part` of the record `id` @throws when there is none */
export async function findPart(
  db: Kysely<Database>,
  tenantId: string,
  id: string,
  part: string,
): Promise<string> {
  if (!isPart(part)) throw new Error(`${part} is no part of a record`);
  const { kind, table, of, status }: Part = parts[part];
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where tenant_id = ${tenantId} and ${sql.ref(of)} = ${uuidIn(id)}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
    order by id desc limit 1`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`${id} has no ${part}`);
  return publicId(kind, row.id);
}

/** The owners of a business, in the order in which it named them. */
export async function ownersOf(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from owners
    where tenant_id = ${tenantId} and customer_id = ${uuidIn(customerId)} order by id`.execute(db);
  return rows.map((row) => publicId('owner', row.id));
}
