import type { FactResult, Inbound } from '@tenant-payments/service/rails/facts.ts';
import type { Receipt } from './facts.ts';

/** Events that were taken lately: the feed repeats what webhooks have brought. */
const remembered = 10_000;

/** Fault of the sender: a used id with another content. It would be refused for ever. */
const isHopeless = (error: unknown): boolean =>
  (error as { code?: string }).code === 'parameter_invalid';

/** Reports receipts to the service, each until it is taken. */
export function openReporter(inbound: Inbound) {
  const taken = new Map<string, FactResult | 'refused'>();
  return {
    /** What each event did, of the last ones. */
    taken: taken as ReadonlyMap<string, FactResult | 'refused'>,
    /** @throws when it is not known whether one was taken: it must come again */
    async report(receipts: readonly Receipt[]): Promise<void> {
      for (const { id, tenantId, fact } of receipts) {
        if (taken.has(id)) continue;
        const result = await inbound.bank(tenantId, fact).catch((error: unknown) => {
          if (isHopeless(error)) return 'refused' as const;
          throw error;
        });
        taken.set(id, result);
        const [oldest] = taken.keys();
        if (taken.size > remembered && oldest !== undefined) taken.delete(oldest);
      }
    },
  };
}
export type Reporter = ReturnType<typeof openReporter>;
