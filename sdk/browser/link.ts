import { connect, type FromPage, type ToPage } from './messages.ts';

/** How often to check for the page, and when to give up. */
const checkEveryMs = 50;
const timeoutMs = 20_000;
/**
 * The wait after the first call; it doubles up to the longest. For a page that the browser refuses
 * to show, each call writes a line to the Tenant's console.
 */
const firstWaitMs = 200;
const longestWaitMs = 2_000;

export interface Link {
  /** @returns false when no page has answered yet */
  send(message: ToPage): boolean;
  /** The page was loaded: calls it at once, without waiting. */
  call(): void;
  close(): void;
}

/**
 * Whether the page was loaded: until then the window is the Tenant's own blank one, and a message
 * to another origin would be an error in the Tenant's console.
 */
function hasPage(target: Window, origin: string): boolean {
  try {
    return target.location.origin === origin;
  } catch {
    return true;
  }
}

interface Listener {
  readonly received: (message: FromPage) => void;
  /** No page answered in time. */
  readonly failed: () => void;
  /** The page does not talk to this site. */
  readonly refused: () => void;
}

/**
 * Connects to a page in a frame or a window. Each call has a new port, and the page uses the first
 * that reaches it. The message names the target's origin, so no other page in that window receives
 * it.
 */
export function openLink(
  target: () => Window | null,
  origin: string,
  { received, failed, refused }: Listener,
): Link {
  let port: MessagePort | null = null;
  const tried: MessagePort[] = [];
  const begun = Date.now();
  let waitMs = firstWaitMs;
  let callAt = begun;

  function receive(from: MessagePort, message: FromPage): void {
    if (port === null && message?.type === 'unregistered') {
      close();
      refused();
      return;
    }
    if (port === null && message?.type === 'hello') {
      port = from;
      clearInterval(timer);
      for (const other of tried) if (other !== from) other.close();
    }
    if (port === from && message) received(message);
  }

  function look(): void {
    const now = Date.now();
    if (now - begun > timeoutMs) {
      close();
      failed();
      return;
    }
    const page = target();
    if (port || now < callAt || !page || !hasPage(page, origin)) return;
    callAt = now + waitMs;
    waitMs = Math.min(2 * waitMs, longestWaitMs);
    const { port1, port2 } = new MessageChannel();
    tried.push(port1);
    port1.onmessage = ({ data }) => receive(port1, data);
    page.postMessage(connect, origin, [port2]);
  }

  const timer = setInterval(look, checkEveryMs);

  function close(): void {
    clearInterval(timer);
    for (const each of tried) each.close();
  }

  return {
    send(message) {
      port?.postMessage(message);
      return port !== null;
    },
    call() {
      callAt = 0;
      look();
    },
    close,
  };
}
