import { useEffect, useRef, useState } from 'react';
import { type FlowError, type Handle, type Options, open as openFlow } from './index.ts';

/** The result of `useHostedFlow`; all of it may be given to event handlers. */
export interface HostedFlow {
  /**
   * Opens the flow, and ends one that is still open. Call it in the customer's click.
   * @param changes options of this flow alone, such as its `token`
   */
  open(changes?: Partial<Options>): void;
  /** Like a customer who leaves; does nothing when no flow is open. */
  close(): void;
  /** From `open` until the flow has ended. */
  readonly isOpen: boolean;
  /** Why the last flow failed; null while it has not, or when the customer left by choice. */
  readonly error: FlowError | null;
}

/** Options of `open`; a component that gets its token only in the click passes it to `open`. */
export type HostedFlowOptions = Omit<Options, 'token'> & Partial<Pick<Options, 'token'>>;

const noToken = (): never => {
  throw new Error('useHostedFlow has no token: pass one to it or to open()');
};

/**
 * Opens hosted flows from a component. When the component goes, its open flow ends: its page is removed,
 * and onExit is called. The handlers of the latest render are called, so they need no useCallback.
 */
export function useHostedFlow(options: HostedFlowOptions): HostedFlow {
  const latest = useRef(options);
  const current = useRef<Handle | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<FlowError | null>(null);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => () => current.current?.destroy(), []);
  const [methods] = useState(() => ({
    open(changes: Partial<Options> = {}) {
      // A click handler passes its event.
      const own = 'nativeEvent' in changes ? {} : changes;
      const given = { token: noToken, ...latest.current, ...own };
      const handlers = () => ({ ...latest.current, ...own });
      setError(null);
      const handle = openFlow({
        ...given,
        onSuccess: (...args) => handlers().onSuccess?.(...args),
        onExit: (failure, meta) => {
          setError(failure);
          handlers().onExit?.(failure, meta);
        },
        onEvent: (...args) => handlers().onEvent?.(...args),
      });
      current.current = handle;
      setOpen(true);
      handle.closed.then(() => {
        if (current.current !== handle) return;
        current.current = null;
        setOpen(false);
      });
    },
    close: () => current.current?.close(),
  }));
  return { ...methods, isOpen, error };
}
