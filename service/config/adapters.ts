import {
  type AdapterSetting,
  type AdapterSettings,
  type ChosenAdapter,
  type PortName,
  type PortSetting,
  portSettings,
} from '../rails/adapter.ts';
import { secretText } from './secret_text.ts';
import type { Environment, Faults } from './values.ts';

/** The adapters that the settings choose, and their own settings (rules/rails#18, #19). */

type Value = (name: string) => string | undefined;

const portNames = Object.entries(portSettings) as [PortSetting, PortName][];

/** The word of a setting: of `MAIL` the scheme of an address, which may hold a password; of the others the value. */
const wordOf = (setting: PortSetting, value: string): string =>
  setting === 'MAIL' ? (/^([a-z]+):\/\//.exec(value)?.[1] ?? '') : value;

function wordsFault(setting: PortSetting, words: readonly string[]): string {
  if (words.length === 0) return `${setting} cannot be set: this release has no adapter for it`;
  if (setting !== 'MAIL') return `${setting} must be one of ${words.join(', ')}`;
  return `${setting} must be an address that begins with ${words.map((word) => `${word}://`).join(' or ')}`;
}

interface Reading {
  readonly known: readonly AdapterSettings[];
  readonly value: Value;
  readonly environment: Environment;
  readonly faults: Faults;
}

/** The ports that settings name an adapter for, with what they say. */
function chosenPorts({ known, value, faults }: Reading) {
  return portNames.flatMap(([setting, port]) => {
    const said = secretText(value, setting, faults);
    if (said === null) return [];
    const word = wordOf(setting, said);
    const adapter = known.find(({ ports }) => ports[port]?.includes(word));
    if (adapter) {
      const fault = adapter.valueFault?.(said) ?? null;
      if (fault !== null) faults.push(`${setting} ${fault}`);
      return [{ setting, port, adapter, said }];
    }
    const words = known.flatMap(({ ports }) => ports[port] ?? []);
    faults.push(wordsFault(setting, words));
    return [];
  });
}

const otherEnvironment = (of: Environment | null | undefined, environment: Environment) =>
  of && of !== environment ? `is of the provider's ${of}, and ENVIRONMENT is ${environment}` : null;

/** A value as it can be taken; null: it is not set, or there is a fault. */
function settingOf(
  [name, setting]: [string, AdapterSetting],
  chosenBy: string,
  { value, environment, faults }: Reading,
): string | null {
  const said = setting.isSecret ? secretText(value, name, faults) : (value(name) ?? null);
  if (said === null) {
    const isFile = setting.isSecret ? ` (or ${name}_FILE)` : '';
    const isReported = setting.isSecret && value(`${name}_FILE`) !== undefined;
    if (!setting.isOptional && !isReported)
      faults.push(`${name} is required by ${chosenBy}${isFile}`);
    return null;
  }
  const fault =
    setting.fault?.(said) ?? otherEnvironment(setting.environmentOf?.(said), environment);
  if (fault !== null) faults.push(`${name} ${fault}`);
  return said;
}

/** @returns the adapters that settings name; what others would want is not looked at */
export function chosenAdapters(reading: Reading): readonly ChosenAdapter[] {
  const named = chosenPorts(reading);
  return [...new Set(named.map(({ adapter }) => adapter))].map(({ name, settings, widgetOf }) => {
    const own = named.filter(({ adapter }) => adapter.name === name);
    const ports = own.map(({ port }) => port);
    const chosenBy = own
      .map(({ setting, said }) => (setting === 'MAIL' ? setting : `${setting}=${said}`))
      .join(' and ');
    const wanted = Object.entries(settings).filter(([, { port }]) => !port || ports.includes(port));
    const values = wanted.flatMap((one): [string, string][] => {
      const said = settingOf(one, chosenBy, reading);
      return said === null ? [] : [[one[0], said]];
    });
    const byPort = own.map(({ setting, said }): [string, string] => [setting, said]);
    const hasPage = ports.includes('aggregator') || ports.includes('identity');
    const widget = hasPage ? widgetOf?.(reading.environment) : undefined;
    const all = Object.fromEntries([...byPort, ...values]);
    return { name, ports, values: all, ...(widget && { widget }) };
  });
}

/** The widget of whoever does a port; absent: it has none. */
export const widgetFor = (
  adapters: readonly Pick<ChosenAdapter, 'ports' | 'widget'>[],
  port: 'aggregator' | 'identity',
) => adapters.find(({ ports }) => ports.includes(port))?.widget;

/** The ports that no setting gives to an adapter. */
export const portsLeft = (adapters: readonly Pick<ChosenAdapter, 'ports'>[]): readonly PortName[] =>
  Object.values(portSettings).filter((port) => !adapters.some(({ ports }) => ports.includes(port)));

/** Files of secrets that the settings of chosen adapters may name. */
export function secretFilesOf(
  known: readonly AdapterSettings[],
  chosen: readonly ChosenAdapter[],
): readonly string[] {
  const ofSettings = known
    .filter(({ name }) => chosen.some((one) => one.name === name))
    .flatMap(({ settings }) =>
      Object.keys(settings).filter((name) => settings[name]?.isSecret === true),
    );
  return [...Object.keys(portSettings), ...ofSettings].map((name) => `${name}_FILE`);
}
