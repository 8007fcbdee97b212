import { connect, type FromPage, type ToPage } from './messages.ts';

/** How often one looks for the page, and after how long it is given up. */
const lookEveryMs = 50;
const patienceMs = 20_000;
/**
 * Between the first two calls; then twice as long each time, up to the longest. A page that the
 * browser refuses to show costs the Tenant's console a line for each.
 */
const firstWaitMs = 200;
const longestWaitMs = 2_000;

export interface Link {
  /** @returns false when no page has answered yet */
  send(message: ToPage): boolean;
  /** A page has come: it is called at once, however long the wait has become. */
  call(): void;
  close(): void;
}

/**
 * Whether a page has come: until then the window is the Tenant's own blank one, and a message to
 * another origin would be an error in the Tenant's console.
 */
function hasPage(target: Window, origin: string): boolean {
  try {
    return target.location.origin === origin;
  } catch {
    return true;
  }
}

/**
 * Connects to a page in a frame or a window. Each call brings a port of its own, since the page takes
 * the first that reaches it; the target's origin is named, so that nobody else in that window hears.
 */
export function openLink(
  target: () => Window | null,
  origin: string,
  { heard, failed }: { heard: (message: FromPage) => void; failed: () => void },
): Link {
  let port: MessagePort | null = null;
  const tried: MessagePort[] = [];
  const begun = Date.now();
  let waitMs = firstWaitMs;
  let callAt = begun;

  function hear(from: MessagePort, message: FromPage): void {
    if (port === null && message?.type === 'hello') {
      port = from;
      clearInterval(timer);
      for (const other of tried) if (other !== from) other.close();
    }
    if (port === from && message) heard(message);
  }

  function look(): void {
    const now = Date.now();
    if (now - begun > patienceMs) {
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
    port1.onmessage = ({ data }) => hear(port1, data);
    page.postMessage(connect, origin, [port2]);
  }

  const timer = setInterval(look, lookEveryMs);

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
