import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';
import { statusOf } from './invitations.ts';
import { type InvitationRow, invitations } from './table.ts';

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

/** The hash by which an invitation is found from the token of its link. */
export const tokenHashOf = (parts: Pick<Service, 'vault'>, token: string): string =>
  storedSecret(parts, 'invitation', token);

/** @throws ApiError not_found; invalid_state: accepted, revoked or expired */
export function assertOpen<Row extends InvitationRow>(
  row: Row | null | undefined,
  now: string,
): Row {
  if (!row) throw fail('not_found');
  const reason = statusOf(row, now);
  if (reason !== 'open') throw fail('invalid_state', { details: { reason } });
  return row;
}

/** @throws ApiError not_found; invalid_state: accepted, revoked or expired */
export async function invitationOf(
  db: Queryable,
  { clocks, vault }: Pick<Service, 'clocks' | 'vault'>,
  token: string,
): Promise<InvitationRow> {
  const { rows } = await db.query<InvitationRow>(
    `select ${columnList(invitations)} from control.invitations where token_hash = $1`,
    [tokenHashOf({ vault }, token)],
  );
  return assertOpen(rows[0], instantOf(clocks.realNow()));
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
export const answersBy = (
  { kind }: Pick<InvitationRow, 'kind'>,
  invitee: Pick<Invitee, 'passkeys'> | null,
): boolean => kind === 'join' && (invitee?.passkeys ?? 0) > 0;

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
  const { rows } = await db.query<{ scope: string }>(
    'select distinct scope from control.roles where person_id = $1',
    [invitee.id],
  );
  assertNoOtherScope(rows, scope);
}

/** @throws ApiError invalid_state {reason: known_elsewhere} */
export function assertNoOtherScope(held: readonly { scope: string }[], scope: string): void {
  if (held.some((one) => one.scope !== scope))
    throw fail('invalid_state', { details: { reason: 'known_elsewhere' } });
}

/** The same at the beginning and at the end of an enrolment, without a row in between. */
export const handleOf = (
  { vault }: Pick<Service, 'vault'>,
  { id }: Pick<InvitationRow, 'id'>,
): string => Buffer.from(vault.index('', `person ${id}`), 'hex').toString('base64url');
