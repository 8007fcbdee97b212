import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { usualKey } from '@tenant-payments/contract/core/key_lives.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import { epochMs, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { approveDeviceSignIn, DeviceSignIn } from '../../contract/people/device.ts';
import { expiryOf } from '../api_keys/expiry.ts';
import type { SignedIn } from '../caller.ts';
import { personCommand } from '../person_command.ts';
import { nameOfScope } from '../scope.ts';
import type { Call } from '../serve.ts';
import { type Attempts, countedFor } from '../sign_in/attempts.ts';
import { telling } from '../sign_in/sign_in.ts';
import { userCodeIndex } from './codes.ts';
import { chosen, grantsOf } from './grants.ts';
import { type DeviceRow, deviceSignIns } from './table.ts';

/** The scope in which a session acts, and its roles. @throws ApiError forbidden: nowhere */
function actingOf({ scope, roles }: SignedIn): { scope: string; held: readonly Role[] } {
  if (scope === null || roles.length === 0)
    throw fail('forbidden', { details: { reason: 'no_role' } });
  return { scope, held: roles };
}

/** @throws ApiError invalid_state: it has ended, or somebody has decided */
function assertWaiting({ status, expires_at }: DeviceRow, nowMs: number): void {
  if (epochMs(expires_at) <= nowMs) throw fail('invalid_state', { details: { reason: 'expired' } });
  if (status !== 'waiting')
    throw fail('invalid_state', { details: { reason: 'decided', current_status: status } });
}

interface Decision {
  readonly id: string;
  readonly status: 'approved' | 'denied';
  readonly personId: string;
  readonly scope: string;
  readonly roles: readonly Role[] | null;
  readonly keyExpiresAt: string | null;
}

/** Decides a request; one of two decisions at once holds. @throws ApiError invalid_state */
const decide = personCommand('decide_device_sign_in', {
  load: (read, { id }: Decision) => read.one(deviceSignIns, id),
  decide: (work, row, { status, personId, scope, roles, keyExpiresAt }) => {
    assertWaiting(row, epochMs(work.now));
    work.change<typeof deviceSignIns>(row, {
      status,
      person_id: personId,
      scope,
      roles,
      key_expires_at: keyExpiresAt,
      decided_at: work.now,
    });
    work.audit({ record: row.id, scope });
    return {
      result: null,
      event: status === 'approved' ? 'device_sign_in_approved' : 'device_sign_in_denied',
      facts: { device_sign_in_id: row.id, ...(roles && { scope, roles }) },
    };
  },
});

export function openDeciding(service: Service, attempts: Attempts) {
  const { control, clocks } = service;

  /** A wrong code counts as a failed attempt of the person and the address (rules/sign-in#11). */
  async function find(call: Call, { personId }: SignedIn, code: string): Promise<DeviceRow> {
    const counted = [countedFor.address(call.from.address), countedFor.person(personId)];
    const row = await telling(call, () =>
      attempts.of(counted, async () => {
        const { rows } = await control.query<DeviceRow>(
          `select ${columnList(deviceSignIns)} from control.device_sign_ins
           where user_code_index = $1 and fetched_at is null`,
          [userCodeIndex(service, code)],
        );
        if (!rows[0]) throw fail('not_found');
        return rows[0];
      }),
    );
    assertWaiting(row, clocks.realNow());
    return row;
  }

  const usualExpiry = (roles: readonly Role[]) =>
    instantOf(clocks.realNow() + usualKey(roles) * 1_000);

  async function view(
    row: DeviceRow,
    session: SignedIn,
    decided: Partial<DeviceSignIn> = {},
  ): Promise<DeviceSignIn> {
    const { scope, held } = actingOf(session);
    const { allowed, most } = grantsOf(row.asked_roles, held);
    return {
      id: row.id,
      status: row.status,
      client_name: row.client_name,
      client_address: row.client_address,
      asked_roles: [...row.asked_roles],
      scope,
      scope_name: await nameOfScope(control, scope),
      roles: [...most],
      allowed_roles: [...allowed],
      expires_at: row.expires_at,
      key_expires_at: usualExpiry(most),
      ...decided,
    };
  }

  return {
    async open(call: Call, session: SignedIn, { user_code }: { user_code: string }) {
      actingOf(session);
      return view(await find(call, session, user_code), session);
    },

    async approve(call: Call, session: SignedIn, given: BodyOf<typeof approveDeviceSignIn>) {
      const { scope, held } = actingOf(session);
      const row = await find(call, session, given.user_code);
      const roles = chosen(grantsOf(row.asked_roles, held), given.roles);
      const { expires_at } = given;
      const keyExpiresAt = expires_at
        ? expiryOf(instantOf(service.clocks.realNow()), expires_at, roles)
        : usualExpiry(roles);
      const { personId } = session;
      const { id } = row;
      await call.run(decide, { id, status: 'approved', personId, scope, roles, keyExpiresAt });
      const decided = { status: 'approved', roles: [...roles], key_expires_at: keyExpiresAt };
      return view(row, session, decided as Partial<DeviceSignIn>);
    },

    async deny(call: Call, session: SignedIn, { user_code }: { user_code: string }) {
      const { scope } = actingOf(session);
      const row = await find(call, session, user_code);
      const { personId } = session;
      const decision = { status: 'denied', roles: null, keyExpiresAt: null } as const;
      await call.run(decide, { id: row.id, personId, scope, ...decision });
      return view(row, session, { status: 'denied' });
    },
  };
}
