import { connect, type FromPage, type ToPage } from './messages.ts';

/** How often the page is called until it answers, and after how long it is given up. */
const callEveryMs = 200;
const patienceMs = 20_000;

export interface Link {
  send(message: ToPage): void;
  close(): void;
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

  function call(): void {
    if (Date.now() - begun > patienceMs) {
      close();
      failed();
      return;
    }
    const { port1, port2 } = new MessageChannel();
    tried.push(port1);
    port1.onmessage = ({ data }: MessageEvent<FromPage>) => {
      if (port === null && data?.type === 'hello') {
        port = port1;
        clearInterval(timer);
        for (const other of tried) if (other !== port1) other.close();
      }
      if (port === port1) heard(data);
    };
    try {
      target()?.postMessage(connect, origin, [port2]);
    } catch {
      // The window is still of another origin, or gone: the next call finds out.
    }
  }

  const timer = setInterval(call, callEveryMs);
  call();

  function close(): void {
    clearInterval(timer);
    for (const each of tried) each.close();
  }

  return { send: (message) => port?.postMessage(message), close };
}
