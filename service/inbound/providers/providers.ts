import type { RailObjects } from '../../rails/providers/provider.ts';
import type { Rails } from '../../rails/rails.ts';
import type { Service } from '../../service.ts';
import { type Door, openDoor } from './door.ts';
import { openObjects } from './objects.ts';
import { openPollWatch, type PollWatch } from './poll_watch.ts';
import { openPolls, type Polls } from './polls.ts';
import { openTaking, type Taking } from './taking.ts';

/** The providers of a process, at work in all cells that it serves. */
export interface OpenProviders {
  /** By the name of the provider; one that nobody sends to has none. */
  readonly doors: ReadonlyMap<string, Door>;
  readonly polls: Polls;
  readonly watch: PollWatch;
  readonly taking: Taking;
  objectsOf(provider: string): RailObjects;
}

const atOnce = async () => {};

/** The providers that report, and the bank that an order may have to be asked of. */
interface OfRails extends Pick<Rails, 'bank'> {
  readonly providers?: Rails['providers'] | undefined;
}

/**
 * Opens the providers of this deployment, once in a process.
 * @param service the first cell of the process
 * @param passed resolves when a Tenant is not being moved between cells
 */
export function openProviders(
  service: Service,
  { providers = [], bank }: OfRails,
  passed: (tenantId: string) => Promise<void> = atOnce,
): OpenProviders {
  const taking = openTaking({ service, passed, bank });
  const objects = new Map(
    providers.map(({ name }) => [name, openObjects({ service, passed }, name)]),
  );
  const objectsOf = (name: string): RailObjects =>
    objects.get(name) ?? openObjects({ service, passed }, name);
  const doors = providers.flatMap((provider): [string, Door][] => {
    const { name } = provider;
    const door = openDoor(provider, { service, taking, objects: objectsOf(name) });
    return door ? [[name, door]] : [];
  });
  for (const provider of providers)
    provider.open?.({
      objects: objectsOf(provider.name),
      async report(receipts) {
        taking.check(receipts);
        await taking.take(provider, receipts, { headers: {}, body: null });
      },
    });
  return {
    doors: new Map(doors),
    polls: openPolls(providers, { service, taking, objectsOf }),
    watch: openPollWatch(providers, service),
    taking,
    objectsOf,
  };
}
