import { createHash, randomUUID } from 'node:crypto';
import type { LinkCheck } from '@tenant-payments/service/rails/aggregator.ts';
import type { FactResult, Inbound } from '@tenant-payments/service/rails/facts.ts';
import type { IdentityCheck } from '@tenant-payments/service/rails/identity.ts';
import type { Message } from '@tenant-payments/service/rails/messages.ts';
import type { Rails } from '@tenant-payments/service/rails/rails.ts';

/** Identity provider, aggregator and messages that connect to nobody: a person answers in their place. */

type Kind = 'identity' | 'aggregator';

interface Waiting {
  readonly tenantId: string;
  /** How an answer names what it answers. */
  readonly named: object;
}

/** Eight digits of an account that are always the same. */
const accountOf = (reference: string): string =>
  String(createHash('sha256').update(reference).digest().readUInt32BE() % 1e8).padStart(8, '0');

export function openByHand() {
  /** Questions that wait for an answer. The same question may come twice, and is one. */
  const waiting: Readonly<Record<Kind, Map<string, Waiting>>> = {
    identity: new Map(),
    aggregator: new Map(),
  };
  const sent: Message[] = [];

  const rails: Omit<Rails, 'bank'> = {
    identity: {
      collect: async ({ subjectId }) => `application-${subjectId}`,
      check: async ({ tenantId, subject, subjectId }: IdentityCheck) =>
        void waiting.identity.set(subjectId, { tenantId, named: { subject, subjectId } }),
      // So that nobody gets a new PIN.
      matches: async () => false,
    },
    aggregator: {
      linkToken: async () => 'no widget',
      exchange: async ({ publicToken }) => ({
        mismatch: null,
        accounts: [
          {
            accountId: null,
            institutionName: 'First Bank',
            accountType: 'checking',
            accountMask: '0001',
            withdrawal: true,
            load: true,
            reference: publicToken,
          },
        ],
      }),
      numbers: async (reference) => ({
        routing: '021000021',
        account: `${accountOf(reference)}0001`,
        type: 'checking',
        tokenized: true,
      }),
      verify: async ({ tenantId, linkId }: LinkCheck) =>
        void waiting.aggregator.set(linkId, { tenantId, named: { linkId } }),
    },
    messages: {
      async send(message) {
        sent.push(message);
        return { providerId: null };
      },
    },
  };

  return {
    rails,
    /** Messages that were to be sent, with their secrets. */
    sent,
    isKind: (name: string): name is Kind => name in waiting,
    /** Gives everything that waits the same answer. @returns what each did */
    async answer(inbound: Inbound, kind: Kind, given: object): Promise<readonly FactResult[]> {
      const tell = inbound[kind] as (tenantId: string, fact: object) => Promise<FactResult>;
      const results: FactResult[] = [];
      for (const [key, { tenantId, named }] of waiting[kind]) {
        results.push(await tell(tenantId, { id: randomUUID(), ...named, ...given }));
        waiting[kind].delete(key);
      }
      return results;
    },
  };
}
export type ByHand = ReturnType<typeof openByHand>;
