/** How a page got its token. */
type By = 'address' | 'sdk';

/** Kept in the history entry, so that a reload knows that its token was used. */
interface Opened {
  readonly tps: 'opened';
  readonly by: By;
}

/** Removes the token from the address and marks the history entry. */
export function markOpened(by: By): void {
  history.replaceState({ tps: 'opened', by } satisfies Opened, '', location.pathname);
}

const opened = (): Partial<Opened> => history.state ?? {};

export const wasOpened = (): boolean => opened().tps === 'opened';

/** Whether the browser's Back leads to the page that sent the customer. */
export const hasWayBack = (): boolean =>
  wasOpened() && opened().by === 'address' && window.parent === window && history.length > 1;
