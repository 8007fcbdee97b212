import { type EndStatus, type FlowError, type Meta, noMeta } from './messages.ts';
import type { Options } from './options.ts';

export const failure = (code: string, message: string): FlowError => ({ code, message });

/** Calls the Tenant's code; its errors are reported and do not change the flow. */
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
  /** Only the first call has an effect. */
  end(status: EndStatus, resultToken: string | null, error: FlowError | null, meta?: Meta): void;
}

/** @param cleanUp removes the page, before the Tenant's handlers are called */
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
