import { type Role, rolesWithin } from '@tenant-payments/contract/core/roles.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { inTransaction } from '@tenant-payments/engine/database/transaction.ts';
import { type ApiError, fail } from '@tenant-payments/engine/fail.ts';
import { epochMs, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { NewApiKey } from '../../contract/people/api_keys.ts';
import { type PollReason, pollSeconds } from '../../contract/people/device.ts';
import { makeKey } from '../api_keys/make.ts';
import { platform } from '../scope.ts';
import type { Call } from '../serve.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';
import type { Approved, DeviceRow } from './row.ts';

/** A poll that was sent in time may come a little early. */
const earlyMs = 500;

const refusal = (reason: PollReason, more: object = {}): ApiError =>
  fail('invalid_state', { details: { reason, ...more } });

/** Why a poll gives no key; null: it does. Unknown codes are as expired ones, which are removed. */
function reasonOf(row: DeviceRow | undefined, nowMs: number): PollReason | null {
  if (!row || epochMs(row.expires_at) <= nowMs) return 'expired_token';
  if (row.status === 'denied') return 'access_denied';
  const nextMs = row.polled_at === null ? 0 : epochMs(row.polled_at) + row.interval_seconds * 1_000;
  if (nowMs < nextMs - earlyMs) return 'slow_down';
  return row.status === 'waiting' ? 'authorization_pending' : null;
}

/** Notes a poll, of many at once one by one; each that is too early makes the interval longer. */
async function note(
  connection: Queryable,
  hash: string,
  nowMs: number,
): Promise<{ reason: PollReason | null; interval: number }> {
  const { rows } = await connection.query<DeviceRow>(
    'select * from control.device_sign_ins where device_code_hash = $1 for update',
    [hash],
  );
  const [row] = rows;
  const reason = reasonOf(row, nowMs);
  const interval = (row?.interval_seconds ?? 0) + (reason === 'slow_down' ? pollSeconds : 0);
  await connection.query(
    `update control.device_sign_ins set polled_at = $2, interval_seconds = $3
     where device_code_hash = $1`,
    [hash, instantOf(nowMs), interval],
  );
  return { reason, interval };
}

/** Whether who approved still holds what the key gets, without a break since (rules/device-sign-in#6). */
async function isStillGiven(connection: Queryable, row: Approved): Promise<boolean> {
  const { rows } = await connection.query<{ held: Role[] }>(
    `select array(select r.role from control.roles r
       where r.scope = $2 and r.person_id = p.id and r.granted_at <= $3) as held
     from control.people p
     where p.id = $1 and p.disabled_at is null
       and ($2 = $4 or exists (select from control.served_tenants() t
         where t.tenant_id::text = $2 and t.suspended_at is null))
     for share of p`,
    [row.person_id, row.scope, row.decided_at, platform],
  );
  const held = rolesWithin(rows[0]?.held ?? []);
  return row.roles.every((role) => held.has(role));
}

/** Takes the request and makes its key in one transaction: of many polls one gets a key. */
const fetchKey =
  (service: Service, hash: string) =>
  async (connection: Queryable): Promise<{ key: NewApiKey; row: Approved }> => {
    const { rows } = await connection.query<Approved>(
      `delete from control.device_sign_ins
       where device_code_hash = $1 and status = 'approved' and expires_at > $2 returning *`,
      [hash, instantOf(service.clocks.realNow())],
    );
    const [row] = rows;
    if (!row) throw refusal('expired_token');
    if (!(await isStillGiven(connection, row))) throw refusal('access_denied');
    const key = await makeKey(connection, service, {
      name: row.client_name,
      scope: row.scope,
      roles: row.roles,
      personId: row.person_id,
      clientId: null,
      madeBy: 'device',
      expiresAt: row.key_expires_at,
    });
    return { key, row };
  };

/** @throws ApiError invalid_state, with the reason of RFC 8628 */
export const poll =
  (service: Service) =>
  async (
    call: Pick<Call, 'act'>,
    { device_code }: { readonly device_code: string },
  ): Promise<NewApiKey> => {
    const hash = storedSecret(service, 'device_code', device_code);
    const { reason, interval } = await inTransaction(service.control, (connection) =>
      note(connection, hash, service.clocks.realNow()),
    );
    if (reason !== null) throw refusal(reason, reason === 'slow_down' ? { interval } : {});
    const { key } = await call.act(fetchKey(service, hash), ({ key, row }) => ({
      event: 'api_key_made',
      facts: { api_key_id: key.id, scope: key.scope, roles: key.roles },
      record: key.id,
      scope: key.scope,
      personId: row.person_id,
      notice: {
        kind: 'api_key_made',
        personId: row.person_id,
        scope: key.scope,
        roles: key.roles,
      },
      after: { device_sign_in_id: row.id, roles: key.roles, expires_at: key.expires_at },
    }));
    return key;
  };
