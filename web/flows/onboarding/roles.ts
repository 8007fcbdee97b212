import type { Owner } from '@tenant-payments/contract/resources/owners.ts';

export type Role = Owner['role'];

/** Whether somebody is the control person, who is one alone. */
export const runs = ({ role }: { readonly role: string }): boolean =>
  role === 'control_person' || role === 'owner_and_control_person';

/** In the order in which they are offered. */
export const ownerRoles = [
  'owner_and_control_person',
  'owner',
  'control_person',
] as const satisfies readonly Role[];
