import type { StreamType } from '@tenant-payments/backoffice/contract/traffic/stream.ts';
import { failedBy } from '../../../staff/api/call.ts';
import { scopeHeaders } from '../../../staff/api/shown.ts';
import { type Message, messageReader } from './messages.ts';

/**
 * `paused`: nobody looks. `waiting`: it is being opened, also after it has ended or failed. `full`: this person, or the
 * Tenant, has as many feeds open as may be, and it is opened once another has ended.
 */
export type FeedState = 'live' | 'paused' | 'waiting' | 'full';

interface FeedEvents {
  readonly onMessages: (messages: readonly Message[]) => void;
  readonly onState: (state: FeedState) => void;
  /** Opened from now on: what was written before may be missing in what the page has read. */
  readonly onFresh: () => void;
}

/** The service has as many open as it may (409, reason too_many_streams). */
class Full extends Error {}

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
/**
 * Milliseconds after which a feed counts as steady: if it ends it is opened again at once, a
 * younger one ever later.
 */
const steadyMs = 10_000;

/**
 * Follows the live feed while the page is seen. It is read with fetch: unlike an EventSource it goes on
 * behind the last row also after a pause, and the number of its attempts is ours.
 * @returns ends it
 */
export function openFeed(types: readonly StreamType[], events: FeedEvents): () => void {
  let last: string | null = null;
  let waitMs = firstWaitMs;
  let isEnded = false;
  let reading: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function read(signal: AbortSignal): Promise<void> {
    const reply = await fetch(`/portal/api/stream?types=${types.join(',')}`, {
      credentials: 'same-origin',
      headers: { ...scopeHeaders(), ...(last !== null && { 'last-event-id': last }) },
      signal,
    });
    if (reply.status === 409) throw new Full();
    if (!reply.ok || reply.body === null) throw await failedBy(reply);
    if (last === null) events.onFresh();
    events.onState('live');
    const take = messageReader();
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const messages = take(value);
      if (messages.length === 0) continue;
      last = messages.at(-1)?.id ?? last;
      events.onMessages(messages.filter(({ type }) => type !== null));
    }
  }

  function begin(): void {
    if (isEnded || document.hidden || reading) return;
    const own = new AbortController();
    reading = own;
    const begunMs = performance.now();
    void read(own.signal)
      .then(
        () => 'waiting' as const,
        (error) => (error instanceof Full ? 'full' : 'waiting'),
      )
      .then((state) => {
        // A pause, or the end, has begun meanwhile.
        if (reading !== own) return;
        reading = null;
        events.onState(state);
        if (performance.now() - begunMs > steadyMs) waitMs = firstWaitMs;
        timer = setTimeout(begin, waitMs);
        waitMs = Math.min(waitMs * 2, longestWaitMs);
      });
  }

  function stop(): void {
    clearTimeout(timer);
    const under = reading;
    reading = null;
    under?.abort();
  }

  function look(): void {
    stop();
    if (document.hidden) events.onState('paused');
    else begin();
  }
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    isEnded = true;
    document.removeEventListener('visibilitychange', look);
    stop();
  };
}
