import { createHash, randomUUID } from 'node:crypto';
import { type IdKind, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { sealContent } from '../../service/identity/documents/seal.ts';
import { identityFieldSeal } from '../../service/resources/identity/table.ts';
import { openIdentitySealer } from '../../service/resources/identity/vault.ts';
import type { Service } from '../../service/service.ts';

/** The data given for somebody, whom the vault keeps. */
export const keptPerson = {
  firstName: 'Ana',
  lastName: 'Reyes',
  birthDate: '1987-03-14',
  ssn: '521739846',
  address: { line1: '1 Main St', line2: null, city: 'New York', state: 'NY', postalCode: '10001' },
};

interface Kept {
  readonly tenantId: string;
  /** The customer or owner, by its id. */
  readonly id: string;
  /** The business of an owner; absent: it is the customer. */
  readonly customerId?: string;
}

const { firstName, lastName, birthDate, ssn, address } = keptPerson;
const values = {
  name: { firstName, lastName },
  birth_date: birthDate,
  tax_number: ssn,
  address,
};

/** Puts a person with a document into the vault, also of who cannot apply any more. @returns the document */
export async function keepInVault(service: Service, { tenantId, id, customerId = id }: Kept) {
  const subject: IdKind & ('customer' | 'owner') = id.startsWith('own') ? 'owner' : 'customer';
  const sealer = openIdentitySealer(service.config);
  if (!sealer) throw new Error('the test has no key of the vault');
  const [subjectId, customer] = [uuidOf(subject, id) ?? '', uuidOf('customer', customerId) ?? ''];
  await service.pool.query(
    `insert into identity_records (tenant_id, id, subject, customer_id, tax_kind, tax_hash, collected_at, asked,
       openings) values ($1, $2, $3, $4, 'ssn', $5, now(), '{}', 0)`,
    [tenantId, subjectId, subject, customer, createHash('sha256').update(ssn).digest('hex')],
  );
  for (const [name, value] of Object.entries(values))
    await service.pool.query(
      `insert into identity_fields (tenant_id, id, record_id, name, value_sealed, updated_at)
       values ($1, $2, $3, $4, $5, now())`,
      [
        tenantId,
        randomUUID(),
        subjectId,
        name,
        sealer.seal(tenantId, identityFieldSeal(`${subjectId} ${name}`), value),
      ],
    );
  const document = randomUUID();
  const file = Buffer.from(`%PDF-1.4 ${createHash('sha256').update(id).digest('hex')}`);
  const { key_sealed, content } = sealContent(sealer, tenantId, document, file);
  await service.pool.query(
    `insert into identity_documents (tenant_id, id, record_id, customer_id, kind, content_type, bytes,
       key_sealed, received_at) values ($1, $2, $3, $4, 'photo_id', 'application/pdf', $5, $6, now())`,
    [tenantId, document, subjectId, customer, file.length, key_sealed],
  );
  await service.pool.query(
    'insert into identity_contents (tenant_id, id, content) values ($1, $2, $3)',
    [tenantId, document, content],
  );
  return document;
}
