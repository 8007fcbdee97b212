import { rolesWithin } from '@tenant-payments/contract/core/roles.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { type ApiError, fail } from '@tenant-payments/engine/fail.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { epochMs } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { NewApiKey } from '../../contract/people/api_keys.ts';
import { type PollReason, pollSeconds } from '../../contract/people/device.ts';
import { createKeyRow } from '../api_keys/make.ts';
import { type Asked, signingIn } from '../person_command.ts';
import { platform } from '../scope.ts';
import type { Call } from '../serve.ts';
import { mayBeOurs } from '../sign_in/secrets.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';
import { type PersonRow, people, type RoleGrantRow, roleGrants } from '../table.ts';
import { type Approved, type DeviceRow, deviceSignIns, isApproved } from './table.ts';

/** A poll that was sent in time may come a little early. */
const earlyMs = 500;

const refusal = (reason: PollReason, more: object = {}): ApiError =>
  fail('invalid_state', { details: { reason, ...more } });

interface Polling {
  readonly hash: string;
  readonly from: Asked;
}

/** The outcome of a poll. A refusal too is committed: it counts how often the program asks. */
type Outcome =
  | { readonly refused: PollReason; readonly interval: number }
  | { readonly refused: null; readonly key: NewApiKey; readonly personId: string };

/** Why a poll gives no key; null: it does. */
function reasonOf(row: DeviceRow, nowMs: number): PollReason | null {
  if (row.fetched_at !== null || epochMs(row.expires_at) <= nowMs) return 'expired_token';
  if (row.status === 'denied') return 'access_denied';
  const nextMs = row.polled_at === null ? 0 : epochMs(row.polled_at) + row.interval_seconds * 1_000;
  if (nowMs < nextMs - earlyMs) return 'slow_down';
  return row.status === 'waiting' ? 'authorization_pending' : null;
}

interface Approver {
  readonly person: PersonRow | null;
  readonly grants: readonly RoleGrantRow[];
}

/** Whether who approved still holds what the key gets, without a break since (rules/device-sign-in#6). */
function isStillGiven(row: Approved, { person, grants }: Approver): boolean {
  if (person === null || person.disabled_at !== null) return false;
  const held = grants.filter(
    ({ scope, ended_at, granted_at }) =>
      scope === row.scope && ended_at === null && granted_at <= row.decided_at,
  );
  const within = rolesWithin(held.map(({ role }) => role));
  return row.roles.every((role) => within.has(role));
}

/** Takes the request and makes its key: of many polls one gets a key. */
function fetchKey(work: Work, row: Approved, from: Asked): Outcome {
  work.change<typeof deviceSignIns>(row, { fetched_at: work.now });
  const { person_id: personId, scope, roles } = row;
  const key = createKeyRow(work, {
    name: row.client_name,
    scope,
    roles,
    personId,
    clientId: null,
    madeBy: 'device',
    expiresAt: row.key_expires_at,
  });
  work.audit({
    act: 'pollDeviceSignIn',
    actor: signingIn(personId, from),
    record: key.id,
    scope,
    after: { device_sign_in_id: row.id, roles, expires_at: key.expires_at },
  });
  return { refused: null, key, personId };
}

/** Whether where a key that was approved would act is served here and not suspended. */
const servedSql = `select (s.scope = $2 or exists (select from control.served_tenants() t
    where t.tenant_id::text = s.scope and t.suspended_at is null)) as served
  from control.device_sign_ins s where s.device_code_hash = $1 and s.status = 'approved'`;

/** Notes a poll, each that is too early makes the interval longer, and gives the key. */
const pollCommand = ({ control }: Pick<Service, 'control'>) =>
  command('poll_device_sign_in', {
    prepare: async ({ hash }: Polling) => {
      const { rows } = await control.query<{ served: boolean }>(servedSql, [hash, platform]);
      return rows[0]?.served ?? null;
    },
    load: async (read, { hash }) => {
      const row = await read.by(deviceSignIns, 'device_code', { device_code_hash: hash });
      const personId = row?.person_id ?? null;
      const [person, grants] = await Promise.all([
        read.maybe(people, personId),
        personId === null ? [] : read.set(roleGrants, 'person_id', personId),
      ]);
      return { row, person, grants };
    },
    decide: (work, { row, person, grants }, { from }, served) => {
      const answer = (told: Outcome) => ({ value: null, told });
      // Unknown codes are as expired ones, which are removed.
      if (row === null) return answer({ refused: 'expired_token', interval: 0 });
      const reason = reasonOf(row, epochMs(work.now));
      const interval = row.interval_seconds + (reason === 'slow_down' ? pollSeconds : 0);
      work.change<typeof deviceSignIns>(row, { polled_at: work.now, interval_seconds: interval });
      // Whoever approves it just now is seen by the next poll.
      if (reason !== null || served === null || !isApproved(row))
        return answer({ refused: reason ?? 'authorization_pending', interval });
      const isGiven = served && isStillGiven(row, { person, grants });
      return answer(isGiven ? fetchKey(work, row, from) : { refused: 'access_denied', interval });
    },
  });

/** @throws ApiError invalid_state, with the reason of RFC 8628 */
export function openPolling(service: Service) {
  const command = pollCommand(service);
  return async (
    { from, done }: Pick<Call, 'from' | 'done'>,
    { device_code }: { readonly device_code: string },
  ): Promise<NewApiKey> => {
    // Unknown codes are as expired ones.
    if (!mayBeOurs(service, 'tpd', device_code)) throw refusal('expired_token');
    const input = { hash: storedSecret(service, 'device_code', device_code), from };
    const { told } = await service.platformEngine.submit(command, { tenantId: platformId, input });
    const outcome = told as Outcome;
    if (outcome.refused !== null) {
      const { refused, interval } = outcome;
      throw refusal(refused, refused === 'slow_down' ? { interval } : {});
    }
    const { key, personId } = outcome;
    const { scope, roles } = key;
    return done({
      result: key,
      event: 'api_key_made',
      facts: { api_key_id: key.id, scope, roles },
      personId,
      notices: [{ kind: 'api_key_made', personId, scope, roles }],
    });
  };
}
