import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Queryable } from '../scope.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';

export interface InvitationRow {
  readonly id: string;
  readonly kind: 'join' | 'reset';
  readonly scope: string;
  readonly email: string;
  readonly roles: Role[];
  /** By kind and id. */
  readonly invited_by: string;
  /** The person behind it; null: nobody, such as the command line. */
  readonly invited_person: string | null;
  readonly expires_at: string;
  readonly accepted_at: string | null;
  readonly revoked_at: string | null;
}

export const invitationColumns = `id, kind, scope, email, roles, invited_by, invited_person, expires_at,
  accepted_at, revoked_at`;

/** Whoever has the deployment's settings (rules/sign-in#15). */
export const isByCommandLine = (invitedBy: string): boolean =>
  invitedBy.startsWith('command_line ');

export interface Invitee {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
  readonly disabled_at: string | null;
  readonly passkeys: number;
}

/** @throws ApiError not_found; invalid_state: accepted, revoked or expired */
export async function invitationOf(
  db: Queryable,
  { clocks, vault }: Pick<Service, 'clocks' | 'vault'>,
  token: string,
): Promise<InvitationRow> {
  const { rows } = await db.query<InvitationRow>(
    `select ${invitationColumns} from control.invitations where token_hash = $1`,
    [storedSecret({ vault }, 'invitation', token)],
  );
  const [row] = rows;
  if (!row) throw fail('not_found');
  const isLate = row.expires_at <= instantOf(clocks.realNow());
  const reason = row.accepted_at ? 'accepted' : row.revoked_at ? 'revoked' : isLate && 'expired';
  if (reason) throw fail('invalid_state', { details: { reason } });
  return row;
}

export async function inviteeOf(db: Queryable, email: string): Promise<Invitee | null> {
  const { rows } = await db.query<Invitee>(
    `select id, name, passkey_handle as handle, disabled_at,
       (select count(*) from control.person_passkeys k where k.person_id = p.id) as passkeys
     from control.people p where email = $1`,
    [email],
  );
  return rows[0] ?? null;
}

/** Whether a passkey that is there accepts it, so that none is made. */
export const answersBy = ({ kind }: InvitationRow, invitee: Invitee | null): boolean =>
  kind === 'join' && (invitee?.passkeys ?? 0) > 0;

/**
 * A passkey opens everything that its person may do. So whoever has none makes the first one by an
 * invitation to the only scope where they hold roles: who invites elsewhere could act as them there.
 * @throws ApiError invalid_state {reason: known_elsewhere}
 */
export async function assertKnownHereAlone(
  db: Queryable,
  { kind, scope }: InvitationRow,
  invitee: Invitee | null,
): Promise<void> {
  if (kind === 'reset' || invitee === null || invitee.passkeys > 0) return;
  const { rowCount } = await db.query(
    'select from control.roles where person_id = $1 and scope <> $2 limit 1',
    [invitee.id, scope],
  );
  if (rowCount !== 0) throw fail('invalid_state', { details: { reason: 'known_elsewhere' } });
}

/** The same at the beginning and at the end of an enrolment, without a row in between. */
export const handleOf = ({ vault }: Pick<Service, 'vault'>, { id }: InvitationRow): string =>
  Buffer.from(vault.index('', `person ${id}`), 'hex').toString('base64url');
