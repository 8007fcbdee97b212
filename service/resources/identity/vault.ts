import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import { type TaxNumberKind, taxNumberKind } from '@tenant-payments/contract/core/tax_numbers.ts';
import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { command } from '@tenant-payments/engine/command.ts';
import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import { openSealer, type Sealer, type Vault } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import type { Address, Applicant, IdentitySubject } from '../../rails/identity.ts';
import { assertMayOnboard } from '../customers/onboarding.ts';
import { customers } from '../customers/table.ts';
import { nextDaily } from '../limits/days.ts';
import {
  type IdentityFieldName,
  identityFieldNames,
  identityFieldSeal,
  identityFields,
  identityRecords,
} from './table.ts';

/** The sealer of identity data: a ring of its own; null: this deployment keeps none (rules/identity#3). */
export const openIdentitySealer = ({
  identityKeys,
}: {
  readonly identityKeys: KeyRing | null;
}): Sealer | null => identityKeys && openSealer(identityKeys);

/** In Eastern Time. */
export const identityErasedAt = '03:30';

export type IdentityName =
  | { readonly firstName: string; readonly lastName: string }
  | { readonly legalName: string };

/** The values in the vault, opened. */
export interface IdentityValues {
  readonly name: IdentityName;
  readonly birth_date: string;
  /** Nine digits. */
  readonly tax_number: string;
  readonly address: Address;
}

/** The values of a business without a birth date, and of a record whose fields were asked for in part. */
export type OpenedIdentity = Partial<IdentityValues>;

function valuesOf(data: Applicant['data']): OpenedIdentity {
  const { address } = data;
  if ('ein' in data) return { name: { legalName: data.legalName }, tax_number: data.ein, address };
  const { firstName, lastName, birthDate, ssn } = data;
  return { name: { firstName, lastName }, birth_date: birthDate, tax_number: ssn, address };
}

const taxKindOf = (data: Applicant['data']): TaxNumberKind | 'ein' =>
  'ein' in data ? 'ein' : (taxNumberKind(data.ssn) ?? 'ssn');

/** One person's number is another than a business's with the same digits. */
const taxPlace = (data: Applicant['data']): string =>
  'ein' in data ? `ein ${data.ein}` : `person ${data.ssn}`;

interface Keeping {
  readonly id: string;
  readonly subject: IdentitySubject;
  readonly customer_id: string;
  readonly tax_kind: TaxNumberKind | 'ein';
  readonly tax_hash: string;
  readonly sealed: readonly { readonly name: IdentityFieldName; readonly value_sealed: string }[];
}

/**
 * Later data replaces earlier, of a customer while onboarding is open. The values come sealed.
 * @throws ApiError invalid_state
 */
const keepIdentity = command('keep_identity', {
  load: async (read, { id, subject }: Keeping) => ({
    customer: subject === 'customer' ? await read.one(customers, id) : null,
    record: await read.maybe(identityRecords, id),
    fields: await read.set(identityFields, 'record_id', id),
  }),
  decide: (work, { customer, record, fields }, { sealed, ...facts }) => {
    if (customer) assertMayOnboard(work, customer);
    const { id, tax_kind, tax_hash } = facts;
    const set = { tax_kind, tax_hash, collected_at: work.now };
    if (record) work.change(record, set);
    else
      work.create(identityRecords, {
        ...facts,
        ...set,
        asked: [],
        asked_at: null,
        openings: 0,
      });
    for (const { name, value_sealed } of sealed) {
      const kept = fields.find((field) => field.name === name);
      const value = { value_sealed, updated_at: work.now };
      if (kept) work.change(kept, value);
      else work.create(identityFields, { ...value, id: work.newId(), record_id: id, name });
    }
    work.scheduleJob('identity_erasure', work.tenantId, nextDaily(identityErasedAt, work.now));
    return { value: null };
  },
});

/** For whom the vault is opened, and why: rows of the audit (rules/identity#5). */
export interface Opening {
  readonly subject: IdentitySubject;
  readonly id: string;
  readonly fields: readonly (IdentityFieldName | 'documents')[];
  /** An adapter, such as `bank`, or a person at the desk. */
  readonly by: string;
  /** An id of what it is opened for, never a text of a person. */
  readonly for: string | null;
}

const kinds: Readonly<Record<IdentitySubject, IdKind>> = { customer: 'customer', owner: 'owner' };

/** The row of the audit that stands before anything is opened. @returns whether there is anything */
export const noteOpening = command('open_identity', {
  load: (read, { id }: Opening) => read.maybe(identityRecords, id),
  decide: (work, record, { subject, id, fields, by, for: reason }) => {
    if (record)
      work.audit({
        act: 'openIdentity',
        record: publicId(kinds[subject], id),
        after: { fields, by, for: reason },
      });
    return { value: record !== null };
  },
});

interface Parts {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'submit'>;
  readonly vault: Pick<Vault, 'index'>;
  readonly sealer: Sealer;
}

/** The vault of identity data (rules/identity). */
export interface IdentityVault {
  /** Keeps what an applicant has given, in place of what was kept. @throws ApiError invalid_state */
  keep(applicant: Applicant & { readonly customerId: string }): Promise<void>;
  /** Opens fields once the audit says so; null: nothing is kept of this subject. */
  open(tenantId: string, opening: Opening): Promise<OpenedIdentity | null>;
  /** Opens fields without a row of the audit, where one has been written already. */
  read(
    tenantId: string,
    id: string,
    fields: readonly IdentityFieldName[],
  ): Promise<OpenedIdentity | null>;
}

/** The vault of this cell; null: this deployment keeps no identity data. */
export function identitiesOf({
  config,
  ...parts
}: Omit<Parts, 'sealer'> & {
  readonly config: { readonly identityKeys: KeyRing | null };
}): IdentityVault | null {
  const sealer = openIdentitySealer(config);
  return sealer && openIdentityVault({ ...parts, sealer });
}

export function openIdentityVault({ db, engine, vault, sealer }: Parts): IdentityVault {
  const place = (record: string, name: string) => identityFieldSeal(`${record} ${name}`);

  async function read(
    tenantId: string,
    id: string,
    fields: readonly IdentityFieldName[],
  ): Promise<OpenedIdentity | null> {
    const { rows } = await sql<{ name: IdentityFieldName; value_sealed: string }>`
      select name, value_sealed from identity_fields
      where tenant_id = ${tenantId} and record_id = ${id} and name = any(${fields})`.execute(db);
    if (rows.length === 0) return null;
    return Object.fromEntries(
      rows.map(({ name, value_sealed }) => [
        name,
        sealer.open(tenantId, place(id, name), value_sealed),
      ]),
    );
  }

  return {
    read,
    async keep({ tenantId, subject, subjectId: id, customerId: customer_id, data }) {
      const values = valuesOf(data);
      const sealed = identityFieldNames.flatMap((name) =>
        values[name] === undefined
          ? []
          : [{ name, value_sealed: sealer.seal(tenantId, place(id, name), values[name]) }],
      );
      const tax_hash = vault.index(tenantId, `tax number ${taxPlace(data)}`);
      const input = { id, subject, customer_id, tax_kind: taxKindOf(data), tax_hash, sealed };
      await engine.submit(keepIdentity, { tenantId, input });
    },
    async open(tenantId, opening) {
      const fields = opening.fields.filter((name) => name !== 'documents');
      const { body } = await engine.submit(noteOpening, { tenantId, input: opening });
      return JSON.parse(body) === true ? read(tenantId, opening.id, fields) : null;
    },
  };
}
