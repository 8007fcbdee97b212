import { assert } from '../engine/fail.ts';
import type { Config } from '../service/config/config.ts';
import { openManualIdentity } from '../service/inbound/manual_identity.ts';
import type {
  Adapter,
  AdapterGiven,
  AdapterParts,
  ChosenAdapter,
} from '../service/rails/adapter.ts';
import type { Service } from '../service/service.ts';

/** The parts of its cell with which a part of the service that does a port itself is opened. */
type OfCell = Pick<Service, 'config' | 'db' | 'engine' | 'vault' | 'log'>;

/** The code of every adapter of `adapters/settings.ts`, by its name: loaded where a setting names it (rules/rails#18). */
const modules: Readonly<Record<string, () => Promise<Adapter>>> = {
  plaid: () => import('../adapters/plaid/index.ts'),
  smtp: () => import('../adapters/smtp/index.ts'),
  twilio: () => import('../adapters/twilio/index.ts'),
};

/** Adapters that are parts of the service, each with its rows in the cell. */
const ofCells: Readonly<Record<string, (given: AdapterGiven, cell: OfCell) => AdapterParts>> = {
  manual: (_given, cell) => ({ identity: openManualIdentity(cell) }),
};

type Settings = Pick<Config, 'adapters' | 'environment' | 'publicUrl'>;

/** An adapter with the ports that it was chosen for. */
export type Opened = Pick<ChosenAdapter, 'ports'> & { readonly adapted: AdapterParts };

const givenTo = (
  { ports, values }: ChosenAdapter,
  { environment, publicUrl }: Settings,
): AdapterGiven => ({
  ports,
  values,
  environment,
  receiveAt: (provider) => `${publicUrl}/rails/${provider}`,
});

async function load(settings: Settings): Promise<readonly Opened[]> {
  const opening = settings.adapters.map(async (chosen): Promise<Opened | null> => {
    const module = await modules[chosen.name]?.();
    const adapted = await module?.open(givenTo(chosen, settings));
    return adapted ? { ports: chosen.ports, adapted } : null;
  });
  return (await Promise.all(opening)).filter((one) => one !== null);
}

const loaded = new WeakMap<Settings['adapters'], Promise<readonly Opened[]>>();

/** The adapters outside the service: one of each for all cells of a process, since a provider has one memory. */
export function outerAdapters(settings: Settings): Promise<readonly Opened[]> {
  const before = loaded.get(settings.adapters);
  if (before) return before;
  const opening = load(settings);
  loaded.set(settings.adapters, opening);
  return opening;
}

/** The adapters that are parts of the service, of one cell. */
export function innerAdapters(cell: OfCell): readonly Opened[] {
  return cell.config.adapters.flatMap((chosen) => {
    const open = ofCells[chosen.name];
    assert(open || modules[chosen.name], 'an adapter that settings know has code');
    return open ? [{ ports: chosen.ports, adapted: open(givenTo(chosen, cell.config), cell) }] : [];
  });
}
