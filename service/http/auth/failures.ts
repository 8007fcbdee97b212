import { rates } from '@tenant-payments/contract/core/numbers.ts';
import type { FastifyReply } from 'fastify';
import type { Service } from '../../service.ts';
import { type BucketState, openRateLimit } from './rate_limit.ts';

/** Wrong secrets in 60 s, of one address and for one client (rules/limits#14). */
const maximum = rates.wrongSecrets;

/** The caller who tries a secret. */
export interface Attempt {
  readonly address: string;
  /** Clients that cannot exist share one name, so that invented ones do not fill the memory. */
  readonly client: string;
}

/**
 * Counts wrong secrets alone. An address without any has its secret compared even where others have
 * spent the client's tries: 256 random bits cannot be guessed from any number of addresses, and
 * whoever knows a client's id could otherwise shut it out.
 */
export function openFailures(service: Pick<Service, 'processRegistry' | 'meters' | 'log'>) {
  const ofAddress = openRateLimit(service, 'address');
  const ofClient = openRateLimit(service, 'client');

  /** Shows the bucket that is full, else the one that is fuller. @throws ApiError rate_limited */
  function show(address: BucketState, client: BucketState, reply: FastifyReply): void {
    const isAddress = address.isOver || (!client.isOver && address.remaining < client.remaining);
    ofAddress.show(isAddress ? address : client, reply);
  }

  return {
    /** Before a secret is looked at. @throws ApiError rate_limited */
    async check({ address, client }: Attempt, reply: FastifyReply): Promise<void> {
      const before = await ofAddress.next(address, maximum);
      if (before === null) return;
      if (before.isOver) ofAddress.show(before, reply);
      const others = await ofClient.next(client, maximum);
      if (others?.isOver) ofClient.show(others, reply);
    },

    /** After a wrong one. @throws ApiError rate_limited once they are more than the limit */
    async count({ address, client }: Attempt, reply: FastifyReply): Promise<void> {
      const state = await ofAddress.count(address, maximum);
      show(state, await ofClient.count(client, maximum), reply);
    },
  };
}
