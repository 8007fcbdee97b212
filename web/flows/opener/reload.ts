/** How a page was given its token. */
type By = 'address' | 'sdk';

/** Kept with the address: a reload finds that its token was used. */
interface Opened {
  readonly tps: 'opened';
  readonly by: By;
}

/** The token leaves the address, which still says that there was one. */
export function markOpened(by: By): void {
  history.replaceState({ tps: 'opened', by } satisfies Opened, '', location.pathname);
}

const opened = (): Partial<Opened> => history.state ?? {};

export const wasOpened = (): boolean => opened().tps === 'opened';

/** Whether the browser's own Back leads to whoever sent the customer: its address went with the bearer. */
export const hasWayBack = (): boolean =>
  wasOpened() && opened().by === 'address' && window.parent === window && history.length > 1;
