import type { Role } from '@tenant-payments/contract/core/roles.ts';

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
