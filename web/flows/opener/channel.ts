import type {
  EndStatus,
  EventName,
  FlowError,
  FromPage,
  Meta,
  ToPage,
} from '../../../sdk/browser/messages.ts';

/** How a page ends: once, whoever asks. */
export interface Ending {
  readonly status: EndStatus;
  readonly result_token: string | null;
  readonly error: FlowError | null;
}

/** The SDK on the other side, or nobody: then events go nowhere. */
export interface Channel {
  readonly isConnected: boolean;
  event(name: EventName, meta: Meta): void;
  end(ending: Ending, meta: Meta): void;
  /** Whoever opened the page asks it to leave. */
  onClose(leave: () => void): void;
}

export const nobody: Channel = {
  isConnected: false,
  event: () => {},
  end: () => {},
  onClose: () => {},
};

/** What the SDK brings. */
export interface Connected {
  readonly channel: Channel;
  readonly token: string;
  readonly locale: string | null;
}

function channelOf(port: MessagePort): { channel: Channel; close: () => void } {
  const send = (message: FromPage) => port.postMessage(message);
  let leave: (() => void) | null = null;
  let isAsked = false;
  let isOver = false;
  return {
    close: () => {
      isAsked = true;
      leave?.();
    },
    channel: {
      isConnected: true,
      event: (name, meta) => send({ type: 'event', name, meta }),
      end: (ending, meta) => {
        if (isOver) return;
        isOver = true;
        send({ type: 'end', ...ending, meta });
      },
      onClose: (given) => {
        leave = given;
        if (isAsked) given();
      },
    },
  };
}

/**
 * Waits for the SDK's `connect`: from the parent or the opener alone, and from an origin of the
 * Tenant's list alone. The first port is taken; later ones stay unanswered.
 * @returns null when nobody connected in time
 */
export function waitForSdk(origins: readonly string[], patienceMs: number) {
  return new Promise<Connected | null>((resolve) => {
    const from = window.parent === window ? window.opener : window.parent;
    const timer = setTimeout(() => done(null), patienceMs);
    function done(connected: Connected | null): void {
      clearTimeout(timer);
      if (connected === null) removeEventListener('message', hear);
      resolve(connected);
    }
    function hear({ data, origin, source, ports }: MessageEvent): void {
      const [port] = ports;
      const isCall = data?.tps === 1 && data.type === 'connect';
      if (!isCall || !port || source !== from || !origins.includes(origin)) return;
      removeEventListener('message', hear);
      const { channel, close } = channelOf(port);
      port.onmessage = ({ data: message }: MessageEvent<ToPage>) => {
        if (message?.type === 'token') done({ ...message, channel });
        if (message?.type === 'close') close();
      };
      port.postMessage({ type: 'hello' } satisfies FromPage);
    }
    addEventListener('message', hear);
  });
}
