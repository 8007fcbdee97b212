import type { Actor } from '@tenant-payments/engine/actor.ts';
import { staffRoles } from '../contract/roles.ts';
import type { Access } from './note.ts';

export type Reader = Pick<Access, 'personId' | 'actedAs'>;

/** The person behind a call, and for whom the person acts; null: a program of the Tenant's own. */
export function readerOf({ personId, roles }: Pick<Actor, 'personId' | 'roles'>): Reader | null {
  if (personId === null) return null;
  const isStaff = staffRoles.some((role) => roles.includes(role));
  return { personId, actedAs: isStaff ? 'staff' : 'member' };
}
