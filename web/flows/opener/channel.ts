import type {
  EndStatus,
  EventName,
  FlowError,
  FromPage,
  Meta,
  ToPage,
} from '../../../sdk/browser/messages.ts';

/** How a page ends; a page ends once. */
export interface Ending {
  readonly status: EndStatus;
  readonly result_token: string | null;
  readonly error: FlowError | null;
}

/** The channel to the SDK; without an SDK, events are dropped. */
export interface Channel {
  readonly isConnected: boolean;
  event(name: EventName, meta: Meta): void;
  end(ending: Ending, meta: Meta): void;
  /** Called when the SDK asks the page to leave. */
  onClose(leave: () => void): void;
}

export const noChannel: Channel = {
  isConnected: false,
  event: () => {},
  end: () => {},
  onClose: () => {},
};

/** The token and the channel from the SDK. */
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
 * Waits for the SDK's `connect`: only from the parent or the opener, and only from an origin of the
 * Tenant's list. The first port is used; later ones get no answer.
 * @returns null when no SDK connected in time; `unregistered` when one of another origin did, which is told so
 */
export function waitForSdk(origins: readonly string[], timeoutMs: number) {
  return new Promise<Connected | 'unregistered' | null>((resolve) => {
    const from = window.parent === window ? window.opener : window.parent;
    const timer = setTimeout(() => done(null), timeoutMs);
    function done(connected: Connected | 'unregistered' | null): void {
      clearTimeout(timer);
      if (connected === null || connected === 'unregistered')
        removeEventListener('message', receive);
      resolve(connected);
    }
    function receive({ data, origin, source, ports }: MessageEvent): void {
      const [port] = ports;
      const isCall = data?.tps === 1 && data.type === 'connect';
      if (!isCall || !port || source !== from) return;
      if (!origins.includes(origin)) {
        port.postMessage({ type: 'unregistered' } satisfies FromPage);
        done('unregistered');
        return;
      }
      removeEventListener('message', receive);
      const { channel, close } = channelOf(port);
      port.onmessage = ({ data: message }: MessageEvent<ToPage>) => {
        if (message?.type === 'token') done({ ...message, channel });
        if (message?.type === 'close') close();
      };
      port.postMessage({ type: 'hello' } satisfies FromPage);
    }
    addEventListener('message', receive);
  });
}
