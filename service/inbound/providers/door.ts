import { fail, unavailable } from '@tenant-payments/engine/fail.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import {
  isNamed,
  type Provider,
  type ProviderRequest,
  type RailObjects,
  type Receipt,
} from '../../rails/providers/provider.ts';
import { withinTime } from '../../rails/providers/within_time.ts';
import type { Service } from '../../service.ts';
import type { Taking } from './taking.ts';

/** Reading a message must leave time to act on it, before its sender gives up. */
const receiveMs = 4_000;
const longestHeader = 500;
const alwaysKept = ['content-type', 'user-agent'];

/**
 * Takes a message that was sent to a provider's address.
 * @throws ApiError authentication_required; parameter_invalid; 503 where it must come again
 */
export type Door = (request: ProviderRequest) => Promise<void>;

function headersOf({ keptHeaders = [] }: Provider, { headers }: ProviderRequest) {
  const kept = [...alwaysKept, ...keptHeaders].flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [[name.toLowerCase(), value.slice(0, longestHeader)]];
  });
  return Object.fromEntries(kept) as Readonly<Record<string, string>>;
}

interface Needs {
  readonly service: Pick<Service, 'meters' | 'log'>;
  readonly taking: Taking;
  readonly objects: RailObjects;
}

/** The door of one provider; null: nobody sends to it. */
export function openDoor(
  provider: Provider,
  { service: { meters, log }, taking, objects }: Needs,
): Door | null {
  const { name } = provider;
  const receive = provider.receive?.bind(provider);
  if (!receive) return null;
  const count = (state: string) => meters.railMessages.inc({ provider: name, state });

  const read = async (request: ProviderRequest): Promise<readonly Receipt[]> => {
    try {
      const receipts = await withinTime(receiveMs, (signal) =>
        receive(request, { signal, objects }),
      );
      taking.check(receipts);
      return receipts;
    } catch (error) {
      if (isNamed(error, 'Unverified')) {
        count('unverified');
        throw fail('authentication_required', { message: 'the message is not verified' });
      }
      if (isNamed(error, 'Malformed')) {
        count('malformed');
        const details = { reason: 'malformed_request' };
        throw fail('parameter_invalid', { details, message: 'the message cannot be read' });
      }
      count('failed');
      log.error(
        { alarm: 'rail_provider', provider: name, method: 'receive', fault: faultFacts(error) },
        'a provider cannot read a message; its sender is asked to send it again',
      );
      throw unavailable('the message cannot be taken now; send it again');
    }
  };

  return async (request) => {
    const receipts = await read(request);
    await taking.take(provider, receipts, {
      headers: headersOf(provider, request),
      body: request.rawBody,
    });
  };
}
