import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../database.ts';
import type { Identity } from '../../../rails/identity.ts';
import { type Answered, claim, openClaims } from '../../claims.ts';
import {
  assertOwnerDocumentsGiven,
  assertRoom,
  keepDocument,
  loadDocuments,
  type NewDocument,
} from '../../identity/documents.ts';
import { collectIdentity, type IdentityData } from '../identity.ts';
import { isLinkAlive, loadOwner, submitByOwner } from './moves.ts';
import { owners } from './table.ts';

/** The acts of an owner who follows a link (rules/owners#8). */

interface Submitted {
  /** The owner, by uuid. */
  readonly id: string;
  /** The provider's reference to the data; null: it has not been given any. */
  readonly collected: Answered<string> | null;
}

interface LinkUse {
  /** The link's token. */
  readonly token: string;
  readonly data: IdentityData;
}

const linkInvalid = (reason: 'unknown' | 'expired') =>
  fail('session_invalid', { param: 'token', details: { reason } });

/** The owner of a link, valid or expired. */
async function readOwnerOf(db: Kysely<Database>, tenantId: string, token: string) {
  const { rows } = await sql<{ id: string; customerId: string }>`
    select o.id, o.customer_id as "customerId" from owners o join customers c on c.tenant_id = o.tenant_id and c.id = o.customer_id
    where o.tenant_id = ${tenantId} and o.link_hash = ${tokenHash(token)}
      and c.withdrawn_reason is null`.execute(db);
  const [found] = rows;
  if (!found) throw linkInvalid('unknown');
  return found;
}

async function loadLinked(read: Read, id: string) {
  const [rows, papers] = await Promise.all([loadOwner(read, { id }), loadDocuments(read, id)]);
  return { ...rows, papers };
}

/** @throws ApiError session_invalid {reason} */
function assertLink(
  work: Work,
  { owner, customer }: Pick<Awaited<ReturnType<typeof loadOwner>>, 'owner' | 'customer'>,
  token: string,
): void {
  if (owner.link_hash !== tokenHash(token) || customer.withdrawn_reason !== null)
    throw linkInvalid('unknown');
  if (!isLinkAlive(work, owner)) throw linkInvalid('expired');
}

interface GivenByLink {
  readonly token: string;
  /** The owner, by uuid. */
  readonly id: string;
  readonly document: NewDocument;
}

/** An owner gives a document by the link, before the data is submitted (rules/identity#13). */
export const giveByLink = command('give_owner_document', {
  load: (read, { id }: GivenByLink) => loadLinked(read, id),
  decide: (work, rows, { token, document }) => {
    assertLink(work, rows, token);
    assertRoom(rows.owner, rows.papers);
    keepDocument(work, document);
    return { value: null };
  },
});

/** @throws ApiError session_invalid {reason}; invalid_state {reason: identity_documents_missing, missing} */
function assertMaySubmit(
  work: Work,
  rows: Awaited<ReturnType<typeof loadLinked>>,
  token: string,
  takesDocuments: boolean,
): void {
  assertLink(work, rows, token);
  if (takesDocuments) assertOwnerDocumentsGiven(rows.owner, rows.papers.documents);
}

const collecting = openClaims(owners, 'collecting_until');

/**
 * The owner submits by the link. The data goes to the provider after all checks; only the reference is stored.
 * @throws ApiError session_invalid {reason}: the link is unknown, was used or replaced, or has
 *   expired
 */
export const submitByLink = ({
  db,
  identity,
  takesDocuments,
}: {
  readonly db: Kysely<Database>;
  readonly identity: Pick<Identity, 'collect'>;
  readonly takesDocuments: boolean;
}) =>
  command('submit_by_link', {
    prepare: async ({ token }: LinkUse, { tenantId }): Promise<Submitted> => {
      const { id } = await readOwnerOf(db, tenantId, token);
      return { id, collected: null };
    },
    load: (read, _input, { id }) => loadLinked(read, id),
    decide: (work, rows, { token, data }, { collected }) => {
      const { owner } = rows;
      assertMaySubmit(work, rows, token, takesDocuments);
      const { collecting_until } = owner;
      if (collected === null || collecting_until !== collected.claim)
        return claim(work, collecting_until, (until) =>
          work.change(owner, { collecting_until: until }),
        );
      submitByOwner(work, rows, collected.answer, data);
      work.change(owner, { collecting_until: null });
      return { record: owner };
    },
    ask: async ({ token, data }, context) => {
      const { tenantId } = context;
      const { id, customerId } = await readOwnerOf(db, tenantId, token);
      const subject = { subject: 'owner', id, customerId } as const;
      const collect = () => collectIdentity(identity, tenantId, subject, data);
      return { id, collected: await collecting(id, context, collect) };
    },
  });
