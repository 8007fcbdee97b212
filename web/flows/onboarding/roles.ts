import type { Owner } from '@tenant-payments/contract/resources/owners.ts';

export type Role = Owner['role'];

/** In the order in which they are offered. */
export const ownerRoles = [
  'owner_and_control_person',
  'owner',
  'control_person',
] as const satisfies readonly Role[];
