import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import type { Face } from '@tenant-payments/backoffice/contract/records/faces.ts';
import { mayCall, type Role } from '@tenant-payments/contract/core/roles.ts';
import type { PageGroup } from '../shell/page_group.ts';

/** Something to be done, by the words with which somebody looks for it. */
export interface Action {
  readonly name: string;
  /** The page on which the action is done. */
  readonly path: string;
  readonly may: readonly Role[];
  /** Further words by which it is found. */
  readonly words?: string;
  readonly sandboxOnly?: true;
}

/** A record that was found, with the text by which it was found. */
export type Hit = Face & {
  readonly title: string;
  readonly tenant_id?: string;
  readonly tenant_name?: string;
};

/** An application's own part of the palette. */
export interface Sources {
  readonly actions: readonly Action[];
  /** The hint in the field before anything is typed. */
  readonly hint: string;
  search(text: string, signal: AbortSignal): Promise<readonly Hit[]>;
  pathOf(hit: Hit): string;
}

/** A way that is offered by its name. */
export interface Way {
  readonly name: string;
  readonly path: string;
  readonly group: string;
}

interface Offered extends Omit<Action, 'words' | 'name'> {
  readonly name: string;
  readonly words: string;
  readonly group: string;
}

const plain = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Every word that is asked for begins one of these: `rot sec` finds "Rotate the webhook secret". */
export function isMeant(asked: string, text: string): boolean {
  const words = plain(text);
  const wanted = plain(asked);
  return wanted.length > 0 && wanted.every((one) => words.some((word) => word.startsWith(one)));
}

/** Pages and actions that this person may open. */
export function waysFor(
  session: CurrentSession,
  groups: readonly PageGroup[],
  { actions }: Pick<Sources, 'actions'>,
  isSandbox: boolean,
): readonly (Way & { readonly words: string })[] {
  const pages: Offered[] = groups.flatMap(({ name: group, pages: of }) =>
    of.map((page) => ({ ...page, words: `${page.name} ${group}`, group: 'Pages' })),
  );
  const acts: Offered[] = actions.map((action) => ({
    ...action,
    words: `${action.name} ${action.words ?? ''}`,
    group: 'Actions',
  }));
  return [...acts, ...pages].filter(
    ({ may, sandboxOnly }) =>
      mayCall(may, session.roles) && (isSandbox || sandboxOnly === undefined),
  );
}
