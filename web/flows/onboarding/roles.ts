import type { Owner } from '@tenant-payments/contract/resources/owners.ts';

export type Role = Owner['role'];

/** Whether a role includes the control person; a business has exactly one. */
export const runs = ({ role }: { readonly role: string }): boolean =>
  role === 'control_person' || role === 'owner_and_control_person';

/** The roles of owners in the order of the form. */
export const ownerRoles = [
  'owner_and_control_person',
  'owner',
  'control_person',
] as const satisfies readonly Role[];
