import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Queryable } from '../scope.ts';

/** A program that asks for a key. */
interface Asking {
  readonly id: string;
  readonly client_name: string;
  readonly client_address: string;
  readonly asked_roles: Role[];
  readonly expires_at: string;
  readonly interval_seconds: number;
  readonly polled_at: string | null;
}

interface Undecided extends Asking {
  readonly status: 'waiting';
}

interface Denied extends Asking {
  readonly status: 'denied';
}

export interface Approved extends Asking {
  readonly status: 'approved';
  readonly person_id: string;
  readonly decided_at: string;
  readonly scope: string;
  readonly roles: Role[];
  readonly key_expires_at: string;
}

export type DeviceRow = Undecided | Denied | Approved;

/** So long an ended request is told from one that never was. */
const keptMs = 10 * 60_000;

/** Nobody needs an expired request any more (rules/device-sign-in#8). @returns how many there were */
export async function removeExpired(
  db: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
): Promise<number> {
  const { rowCount } = await db.query(
    'delete from control.device_sign_ins where expires_at <= $1',
    [instantOf(clocks.realNow() - keptMs)],
  );
  return rowCount ?? 0;
}
