import type { Messages } from './messages.ts';
import type { Rails } from './rails.ts';

/** The ports that a setting may give to a built-in adapter, by the setting (rules/rails#18). */
export const portSettings = {
  BANK: 'bank',
  AGGREGATOR: 'aggregator',
  IDENTITY: 'identity',
  MAIL: 'mail',
  SMS: 'sms',
} as const;
export type PortSetting = keyof typeof portSettings;
/** `mail` and `sms` are the two channels of `messages`. */
export type PortName = (typeof portSettings)[PortSetting];

type Environment = 'sandbox' | 'production';

/** A setting of an adapter, read only where the adapter is chosen. */
export interface AdapterSetting {
  /** The line ends so: `must be …`; null: the value can be taken. Absent: any text. */
  fault?(value: string): string | null;
  /** Whether it may stand in the file that `NAME_FILE` names. */
  readonly isSecret?: true;
  /** Without it the adapter does something usual. */
  readonly isOptional?: true;
  /** The only port for which it is required, or used at all; absent: each. */
  readonly port?: PortName;
  /** The environment of a value: one of the provider's sandbox is none of production; null: nobody can say. */
  environmentOf?(value: string): Environment | null;
}

/** A built-in adapter, as the settings know it before its code is loaded. */
export interface AdapterSettings {
  /** Its folder in `adapters/`. */
  readonly name: string;
  /** The words by which a port is given to it; of `MAIL` the schemes of an address. */
  readonly ports: Readonly<Partial<Record<PortName, readonly string[]>>>;
  readonly settings: Readonly<Record<string, AdapterSetting>>;
  /** The fault of the value that gives it a port, as of a setting; absent: that is a word alone. */
  valueFault?(value: string): string | null;
  /** The provider's own widget, of an aggregator or an identity provider: the page at which customers do their part opens it. */
  widgetOf?(environment: Environment): Widget;
}

/** A provider's own widget in the page of a customer. */
export interface Widget {
  /** By which the page knows how to open it. */
  readonly name: string;
  /** The address of its script. */
  readonly script: string;
  /** Origins that it frames, which may use the camera, and that it speaks to. */
  readonly frame: string;
  readonly connect: string;
}

/** An adapter that the settings have chosen. */
export interface ChosenAdapter {
  readonly name: string;
  readonly ports: readonly PortName[];
  /** The widget of an aggregator or an identity provider; absent: it has none, or another port was chosen. */
  readonly widget?: Widget;
  /** The settings that are set, by name, with the one of the port itself (`MAIL`). */
  readonly values: Readonly<Record<string, string>>;
}

/** The options with which an adapter is opened. */
export interface AdapterGiven extends Omit<ChosenAdapter, 'name' | 'widget'> {
  readonly environment: Environment;
  /** The address for messages of a provider of this name: `https://…/rails/<name>`. */
  receiveAt(provider: string): string;
}

/** The parts that an adapter brings: the ports that it was chosen for, and what belongs to them. */
export interface AdapterParts
  extends Partial<Pick<Rails, 'aggregator' | 'bank' | 'identity' | 'providers'>> {
  readonly mail?: Messages;
  readonly sms?: Messages;
  /** When the process ends. */
  close?(): Promise<void>;
}

/** The module of an adapter, loaded only where a setting names it. */
export interface Adapter {
  /** Opens the adapter. This reaches nothing yet: a start does not wait for the outside. */
  open(given: AdapterGiven): AdapterParts | Promise<AdapterParts>;
}
