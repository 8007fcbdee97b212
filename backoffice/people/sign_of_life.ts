import { type Command, command } from '@tenant-payments/engine/command.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { addSeconds, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { apiKeys } from './api_keys/table.ts';
import type { Origin } from './sessions/sessions.ts';
import { sessions } from './sessions/table.ts';

/** When a session and a key were last used. It is no act: nobody does anything by it that the request does not. */

type Parts = Pick<Service, 'platformEngine' | 'clocks'>;

/** How exactly it is noted, so that not every request writes. */
const exactSeconds = 60;

const isNoted = (lastUsedAt: Instant | null, now: Instant): boolean =>
  lastUsedAt !== null && lastUsedAt > addSeconds(now, -exactSeconds);

/** Notes it behind what people wait for. The request itself meets a database that is away. */
function note<Input>({ platformEngine }: Parts, noting: Command<Input>, input: Input): void {
  const noted = platformEngine.submit(noting, { tenantId: platformId, input, lane: 'job' });
  noted.catch(() => {});
}

interface UsedSession extends Origin {
  readonly id: string;
}

const noteSession = command('note_use_of_session', {
  load: (read, { id }: UsedSession) => read.one(sessions, id),
  decide: (work, row, { address, browser }) => {
    if (row.ended_at === null && !isNoted(row.last_used_at, work.now))
      work.change<typeof sessions>(row, {
        last_used_at: work.now,
        last_address: address,
        last_browser: browser,
      });
    return { value: null };
  },
});

export function touchSession(
  parts: Parts,
  { id, lastUsedAt }: { readonly id: string; readonly lastUsedAt: Instant },
  { address, browser }: Origin,
): void {
  if (isNoted(lastUsedAt, instantOf(parts.clocks.realNow()))) return;
  note(parts, noteSession, { id, address, browser });
}

interface UsedKey {
  readonly id: string;
  readonly last_used_at: Instant | null;
}

const noteKey = command('note_use_of_key', {
  load: (read, { id }: UsedKey) => read.one(apiKeys, id),
  decide: (work, row) => {
    if (!isNoted(row.last_used_at, work.now))
      work.change<typeof apiKeys>(row, { last_used_at: work.now });
    return { value: null };
  },
});

export function touchKey(parts: Parts, key: UsedKey): void {
  if (isNoted(key.last_used_at, instantOf(parts.clocks.realNow()))) return;
  note(parts, noteKey, key);
}
