import { randomUUID } from 'node:crypto';
import type { Vault } from '../../engine/vault.ts';
import type { Aggregator } from '../../service/rails/aggregator.ts';
import { openSandboxAggregator } from '../../service/sandbox/rails/aggregator.ts';

/** The sandbox's aggregator, as strict as a real one: it exchanges each public token once. */
export interface OneTimeTokens {
  readonly aggregator: Aggregator;
  /** A public token that nobody has shown yet. */
  newToken(bank?: string): string;
  /** How often it was asked to exchange a token. */
  exchanges(token: string): number;
  /** How many link tokens it has made. */
  linkTokens(): number;
}

export function openOneTimeTokens(vault: Pick<Vault, 'newSecret'>): OneTimeTokens {
  const sandbox = openSandboxAggregator(vault);
  const asked = new Map<string, number>();
  const exchanges = (token: string) => asked.get(token) ?? 0;
  let linkTokens = 0;
  return {
    exchanges,
    linkTokens: () => linkTokens,
    newToken: (bank = 'standard') => `public-sandbox-${bank}-${randomUUID()}`,
    aggregator: {
      ...sandbox,
      async exchange(request) {
        const { publicToken } = request;
        asked.set(publicToken, exchanges(publicToken) + 1);
        if (exchanges(publicToken) === 1) return sandbox.exchange(request);
        return { accounts: null, mismatch: 'unknown_token' };
      },
      linkToken(request) {
        linkTokens += 1;
        return sandbox.linkToken(request);
      },
    },
  };
}
