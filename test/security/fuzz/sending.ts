import { openSender, type RawRequest } from '../../contract/send.ts';
import type { Change } from './changes.ts';
import { faultOf } from './judge.ts';
import type { Planned } from './requests.ts';

const textOf = ({ method, path, headers, body = '' }: RawRequest) =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 400)} ${body.slice(0, 600)}`;
const shown = ({ request }: Planned) => textOf(request);
const listed = (changed: readonly Change[]) => JSON.stringify(changed.slice(0, 5));

export interface Watched {
  /** The changes since the last call. */
  take(): Promise<readonly Change[]>;
  /** Called with each reply. */
  onReply(one: Planned, status: number, body: unknown): void;
}

/** Sends requests in windows, and judges replies and what the refused ones changed. */
export function openSending(baseUrl: string, seed: number, { take, onReply }: Watched) {
  const sender = openSender(baseUrl);
  const violations: string[] = [];
  const figures = {
    accepted: 0,
    refused: 0,
    limited: 0,
    unavailable: 0,
    repeated: 0,
    changes: 0,
  };

  function tell(one: Planned, fault: string): void {
    const violation = `SEED=${seed} ${shown(one)}: ${fault}`;
    violations.push(violation);
    process.stderr.write(`${violation}\n`);
  }

  function count(status: number, isFirst: boolean): void {
    if (!isFirst) figures.repeated += 1;
    else if (status >= 400) figures.refused += 1;
    else figures.accepted += 1;
    if (status === 429) figures.limited += 1;
    if (status === 503) figures.unavailable += 1;
  }

  async function send(one: Planned, isFirst: boolean): Promise<number> {
    const reply = await sender.send(one.request).catch((error: Error) => error);
    if (reply instanceof Error) {
      tell(one, `no reply: ${reply.message}`);
      return 0;
    }
    const fault = faultOf(one.request, reply);
    if (fault !== null) tell(one, fault);
    count(reply.status, isFirst);
    onReply(one, reply.status, reply.body);
    return reply.status;
  }

  async function blame(all: readonly Planned[], changed: readonly Change[]): Promise<void> {
    const [first] = all;
    if (!first) return;
    if (all.length === 1) return tell(first, `refused, and changed ${listed(changed)}`);
    const before = violations.length;
    for (const one of all) await settle([one], false);
    if (violations.length === before)
      tell(first, `or one after it changed once ${listed(changed)}:\n${all.map(shown).join('\n')}`);
  }

  /**
   * Sends them at once. What the refused ones change is seen by sending them again without those
   * that were accepted.
   */
  async function settle(all: readonly Planned[], isFirst = true): Promise<void> {
    const statuses = await Promise.all(all.map((one) => send(one, isFirst)));
    const changed = await take();
    figures.changes += changed.length;
    const refused = all.filter((_, index) => (statuses[index] ?? 0) >= 400);
    if (changed.length === 0 || refused.length === 0) return;
    await (refused.length < all.length ? settle(refused, false) : blame(all, changed));
  }

  return {
    violations,
    figures,
    settle: (all: readonly Planned[]) => settle(all),
    close: sender.close,
  };
}
