import type { Role } from '@tenant-payments/contract/core/roles.ts';

/** The pictures of the menu (icons.tsx). */
export type IconName =
  | 'home'
  | 'records'
  | 'money'
  | 'developers'
  | 'tenant'
  | 'review'
  | 'platform'
  | 'operations'
  | 'fold'
  | 'choose';

export interface PageEntry {
  readonly path: string;
  readonly name: string;
  /** The roles that may read the page, as the operations behind it declare them. */
  readonly may: readonly Role[];
  /** Production has no such page. */
  readonly sandboxOnly?: true;
}

export interface PageGroup {
  readonly name: string;
  readonly icon: IconName;
  readonly pages: readonly PageEntry[];
}
