import { failure, openEnding } from './ending.ts';
import { type EndStatus, noMeta } from './messages.ts';
import type { Options } from './options.ts';

export type ReturnHandlers = Pick<Options, 'onSuccess' | 'onExit'>;

const statuses: readonly string[] = ['completed', 'canceled', 'expired', 'failed'];
const isEnd = (status: string | null): status is EndStatus =>
  status !== null && statuses.includes(status);

/**
 * For the page of the return address: reads the result from the fragment, removes it from the
 * address and calls the same handler as `open`.
 * @returns false when the page was not reached from a flow
 */
export function handleReturn(handlers: ReturnHandlers): boolean {
  const facts = new URLSearchParams(location.hash.slice(1));
  const status = facts.get('status');
  if (!isEnd(status)) return false;
  history.replaceState(history.state, '', location.pathname + location.search);
  const meta = { ...noMeta, session_id: facts.get('session_id'), flow: facts.get('flow') };
  const code = facts.get('error');
  const error = code === null ? null : failure(code, code.replaceAll('_', ' '));
  openEnding(handlers, () => {}).end(status, facts.get('result_token'), error, meta);
  return true;
}
