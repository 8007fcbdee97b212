import { type EndStatus, type FlowError, type Meta, noMeta } from './messages.ts';
import type { Options } from './options.ts';

export const failure = (code: string, message: string): FlowError => ({ code, message });

/** Calls the Tenant's code; what it throws is the Tenant's, and leaves the flow as it is. */
function safely(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportError(error);
  }
}

/** The one ending of a flow. */
export interface Ending {
  readonly isOver: boolean;
  readonly closed: Promise<EndStatus>;
  event: NonNullable<Options['onEvent']>;
  /** Whoever asks first decides; later ones are not heard. */
  end(status: EndStatus, resultToken: string | null, error: FlowError | null, meta?: Meta): void;
}

/** @param cleanUp takes the page away, before the Tenant is told */
export function openEnding(
  { onSuccess, onExit, onEvent }: Pick<Options, 'onSuccess' | 'onExit' | 'onEvent'>,
  cleanUp: () => void,
): Ending {
  let meta = noMeta;
  let isOver = false;
  let settle: (status: EndStatus) => void = () => {};
  const closed = new Promise<EndStatus>((done) => {
    settle = done;
  });
  return {
    get isOver() {
      return isOver;
    },
    closed,
    event(name, given) {
      meta = given;
      safely(() => onEvent?.(name, given));
    },
    end(status, resultToken, error, given = meta) {
      if (isOver) return;
      isOver = true;
      cleanUp();
      const isHandedOver = status === 'completed' && resultToken !== null;
      safely(() => onEvent?.(isHandedOver ? 'handoff' : 'exit', given));
      safely(() => {
        if (isHandedOver) onSuccess?.(resultToken, given);
        else onExit?.(error, { ...given, result_token: resultToken });
      });
      settle(status);
    },
  };
}
