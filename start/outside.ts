import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assert } from '../engine/fail.ts';
import { portsLeft } from '../service/config/adapters.ts';
import type { Config } from '../service/config/config.ts';
import type { AdapterParts, PortName } from '../service/rails/adapter.ts';
import { railsMethodList } from '../service/rails/guard/methods.ts';
import type { Messages } from '../service/rails/messages.ts';
import { faultsOfProviders } from '../service/rails/providers/provider.ts';
import type { Rails } from '../service/rails/rails.ts';
import type { Opened } from './adapters.ts';
import { importModule } from './import_module.ts';

/** How the outside is put together: adapters that settings name, and one module for all other ports (rules/rails#18). */

const partOf = (port: PortName) => (port === 'mail' || port === 'sms' ? 'messages' : port);

/**
 * The module of `RAILS`, as it is; null where adapters do all that it would.
 * @throws one line when it cannot be loaded, or lacks what it must have
 */
export async function loadRails({
  rails,
  adapters,
}: Pick<Config, 'rails' | 'adapters'>): Promise<Rails | null> {
  const left = portsLeft(adapters);
  if (rails === null || left.length === 0) return null;
  const imported = importModule(pathToFileURL(resolve(rails)).href).catch((error: unknown) => {
    throw new Error(`RAILS: ${rails} cannot be loaded (${(error as Error).message})`);
  });
  const module = (await imported) as { rails?: Rails };
  if (!module.rails) throw new Error(`RAILS: ${rails} exports no rails`);
  const missing = missingOf(module.rails, left);
  if (missing.length > 0) throw new Error(`RAILS: ${rails} has no ${missing.join(', ')}`);
  const [fault] = faultsOfProviders(module.rails.providers ?? []);
  if (fault !== undefined) throw new Error(`RAILS: ${rails}: ${fault}`);
  return module.rails;
}

/** The module is not compiled with the service, so what it lacks is reported at the start. */
function missingOf(rails: Rails, ports: readonly PortName[]): readonly string[] {
  const parts = rails as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const wanted: readonly string[] = ports.map(partOf);
  return railsMethodList
    .filter(
      ({ part, name, isOptional }) =>
        wanted.includes(part) && !isOptional && typeof parts[part]?.[name] !== 'function',
    )
    .map(({ full }) => full);
}

/** Mail by the one, text messages by the other. */
function byChannel(mail: Messages, sms: Messages): Messages {
  if (mail === sms) return mail;
  return {
    can: { mail: mail.can?.mail === true, text: sms.can?.text === true },
    send: (message, call) => ('email' in message.to ? mail : sms).send(message, call),
  };
}

/**
 * The rails of adapters, and of others for all ports that no adapter has.
 * @param others absent: adapters have all ports
 * @throws one line when two providers have one name
 */
export function composedRails(adapters: readonly Opened[], others: Partial<Rails> = {}): Rails {
  function portOf<P extends 'aggregator' | 'bank' | 'identity' | 'mail' | 'sms'>(port: P) {
    const opened = adapters.find(({ ports }) => ports.includes(port));
    const own: Partial<AdapterParts> = opened
      ? opened.adapted
      : { ...others, ...(others.messages && { mail: others.messages, sms: others.messages }) };
    const found = own[port];
    assert(found, `somebody does the port ${port}`);
    return found;
  }
  const providers = [
    ...(others.providers ?? []),
    ...adapters.flatMap(({ adapted }) => adapted.providers ?? []),
  ];
  const [fault] = faultsOfProviders(providers);
  if (fault !== undefined) throw new Error(`RAILS: ${fault}`);
  return {
    identity: portOf('identity'),
    aggregator: portOf('aggregator'),
    bank: portOf('bank'),
    messages: byChannel(portOf('mail'), portOf('sms')),
    providers,
    ...(others.jobs && { jobs: others.jobs }),
    listen: (inbound) => others.listen?.(inbound),
    async close() {
      for (const one of [others, ...adapters.map(({ adapted }) => adapted)]) await one.close?.();
    },
  };
}
