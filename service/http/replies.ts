import type { ServerResponse } from 'node:http';

/** Replies that are not finished, oldest first. */
export interface Replies {
  readonly open: readonly ServerResponse[];
  /** Adds one, until it is closed. */
  add(response: ServerResponse): void;
}

export function openReplies(): Replies {
  // A Set makes new tables as it fills and empties, and each old one keeps all later ones alive, with
  // the replies in them, until V8 collects its old generation.
  const open: ServerResponse[] = [];
  return {
    open,
    add(response) {
      open.push(response);
      response.once('close', () => open.splice(open.indexOf(response), 1));
    },
  };
}
