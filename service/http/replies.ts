import type { ServerResponse } from 'node:http';

/** Replies that are not finished, oldest first. */
export interface Replies {
  readonly open: Iterable<ServerResponse>;
  /** Adds one, until it is closed. */
  add(response: ServerResponse): void;
}

/** A link of a ring; the ring's own has no reply. */
interface Link {
  readonly response: ServerResponse | null;
  before: Link;
  after: Link;
}

function openRing(): Link {
  const ring = { response: null } as Link;
  ring.before = ring;
  ring.after = ring;
  return ring;
}

/** The one that was given may be closed meanwhile. */
function* repliesOf(ring: Link) {
  for (let link = ring.after; link.response !== null; ) {
    const { response, after } = link;
    yield response;
    link = after;
  }
}

/**
 * A linked list: with thousands of open replies an array moves all of them for each that closes, and a
 * Set leaves tables behind that keep dead replies alive until V8 collects its old generation.
 */
export function openReplies(): Replies {
  const ring = openRing();
  return {
    open: { [Symbol.iterator]: () => repliesOf(ring) },
    add(response) {
      const link: Link = { response, before: ring.before, after: ring };
      ring.before.after = link;
      ring.before = link;
      response.once('close', () => {
        link.before.after = link.after;
        link.after.before = link.before;
        // Or it would keep those after it alive, as long as V8 has not collected it.
        link.before = ring;
        link.after = ring;
      });
    },
  };
}
