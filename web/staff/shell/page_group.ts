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
  /** Who may read it; as the operations behind it declare. */
  readonly may: readonly Role[];
  /** Production has no such page. */
  readonly sandboxOnly?: true;
}

export interface PageGroup {
  readonly name: string;
  readonly icon: IconName;
  readonly pages: readonly PageEntry[];
}
