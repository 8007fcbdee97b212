import type { AccessKind } from '@tenant-payments/contract/core/access_kinds.ts';
import { staffRoles } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';

/** A person who reads personal data of a Tenant. */
export interface Access {
  readonly tenantId: string;
  readonly personId: string;
  readonly actedAs: 'staff' | 'member';
  readonly apiKeyId: string | null;
  readonly kind: AccessKind;
  /** Its public id. */
  readonly record: string;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Writes that somebody reads, before the reader is shown it (rules/audit#18). */
export type AccessNotes = (access: Access) => Promise<void>;

export type Reader = Pick<Access, 'personId' | 'actedAs'>;

/** The person behind a call, and for whom the person acts; null: a program of the Tenant's own. */
export function readerOf({ personId, roles }: Pick<Actor, 'personId' | 'roles'>): Reader | null {
  if (personId === null) return null;
  const isStaff = staffRoles.some((role) => roles.includes(role));
  return { personId, actedAs: isStaff ? 'staff' : 'member' };
}
