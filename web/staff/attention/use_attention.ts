import { useRead } from '../api/queries.ts';
import { useSession } from '../api/session.tsx';
import type { AttentionItem } from './words.ts';

const everyMs = 30_000;

interface Found {
  /** Undefined: not read yet. */
  readonly items: readonly AttentionItem[] | undefined;
  /** The session acts for the platform: it is in the console. */
  readonly isConsole: boolean;
}

/**
 * Reads the items that need this person where the session acts; every page that asks shares one
 * reply.
 */
export function useAttention(): Found {
  const isConsole = useSession().scope === 'platform';
  const route = isConsole ? 'GET /portal/api/platform-attention' : 'GET /portal/api/attention';
  const { data } = useRead<'GET /portal/api/platform-attention' | 'GET /portal/api/attention'>(
    route,
    {},
    everyMs,
  );
  return { items: data?.items, isConsole };
}
