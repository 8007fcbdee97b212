import { proxiedFetch } from '@tenant-payments/sdk-server';
import { FaultLines } from '../../terminal.ts';
import { plain } from '../show.ts';

/** Longer than a page that shows records should take. */
const timeoutMs = 10_000;

/** Reads what a Tenant's application shows of its records. @throws FaultLines where it does not */
export const stateReader =
  (url: string, headers: Readonly<Record<string, string>>) => async (): Promise<string> => {
    try {
      const reply = await proxiedFetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
      const text = await reply.text();
      if (reply.ok) return text;
      throw new Error(`it answered ${reply.status}`);
    } catch (error) {
      const { message, cause } = error as Error;
      const why = cause instanceof Error ? cause.message : message;
      throw new FaultLines([
        `error: ${url} cannot be read: ${plain(why)}`,
        'hint: Give an address that answers GET with what your application holds of its records.',
      ]);
    }
  };
