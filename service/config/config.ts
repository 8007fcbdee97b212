import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { wantsWrites } from '@tenant-payments/engine/database/hosts.ts';
import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import type { AdapterSettings, ChosenAdapter } from '../rails/adapter.ts';
import { chosenAdapters, portsLeft, secretFilesOf } from './adapters.ts';
import { reportCareless, reportOpenFiles } from './careless.ts';
import { type OrderAlarmHours, orderAlarmHoursOf } from './order_alarm_hours.ts';
import { type RailsDeadlines, railsDeadlinesOf } from './rails_deadlines.ts';
import { type RemoteCells, remoteCellsOf } from './remote_cells.ts';
import { secretText } from './secret_text.ts';
import { type Telemetry, telemetryOf } from './telemetry.ts';
import { type Faults, type Role, readers } from './values.ts';

/** The settings of this process (rules/operations#1). Parsed once; everything inside trusts them. */
export interface Config extends RemoteCells {
  readonly environment: 'sandbox' | 'production';
  readonly port: number;
  /** The hosts that it listens on; both loopback addresses unless HOST says otherwise. */
  readonly hosts: readonly string[];
  /** The base address that Tenants and browsers use, without a slash at its end. */
  readonly publicUrl: string;
  /** The host of portal, console and sign-in; null: that of `publicUrl` (rules/security#24). */
  readonly consoleUrl: string | null;
  /** The host of the customers' pages; null: that of `publicUrl`. */
  readonly hostedUrl: string | null;
  /** Proxies whose `X-Forwarded-For` is trusted; for others the address of the connection counts. */
  readonly trustedProxies: readonly string[];
  /** From which this deployment's events come, as it tells its Tenants. */
  readonly egressAddresses: readonly string[];
  /** Absolute. */
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The login that owns the tables; null: that of `databaseUrl` migrates. */
  readonly migrationDatabaseUrl: string | null;
  /** A standby, where proofs and files are read; null: none. */
  readonly databaseReadUrl: string | null;
  readonly roles: ReadonlySet<Role>;
  /** The schemas of the cells that this process serves; empty: the one that `databaseUrl` names. */
  readonly cells: readonly string[];
  /** Citus says which cells there are, and where: `cells` has them once the database was asked. */
  readonly isOnCitus: boolean;
  /** The cells whose jobs and deliveries it does; null: all that it serves. */
  readonly workerCells: readonly string[] | null;
  readonly metricsPort: number;
  /** The host of `/metrics` and the probes; loopback unless METRICS_HOST says otherwise. */
  readonly metricsHost: string;
  /** The time for which a process that was told to end still serves, while `/readyz` is 503. */
  readonly drainDelaySeconds: number;
  /** The people who may open the example shop of a sandbox, which acts as its Tenant. */
  readonly shop: ShopAccess;
  /** A sandbox makes a Tenant with a week of work (rules/sandbox#42); production never does. */
  readonly sampleWeek: boolean;
  /** Some acts need a second person (rules/approvals#1): in production always. */
  readonly approvals: boolean;
  /** `on`: the documentation is served at `/docs`; else nothing is, or that is where it is (rules/docs-site#11). */
  readonly docs: 'on' | 'off' | `http${string}`;
  readonly logLevel: LogLevel;
  /** Null: no trace is recorded. */
  readonly telemetry: Telemetry | null;
  /** The module that implements `service/rails/`; null in the sandbox, which has its own, and where adapters do it all. */
  readonly rails: string | null;
  /** The adapters that `MAIL`, `SMS`, `AGGREGATOR`, `IDENTITY` name; all other ports are of `rails` or the sandbox. */
  readonly adapters: readonly ChosenAdapter[];
  /** Seconds that a call of each of its methods may take. */
  readonly railsDeadlines: RailsDeadlines;
  /** The hours without the bank's answer after which an order raises an alarm. */
  readonly orderAlarmHours: OrderAlarmHours;
  /** HMAC keys over PINs, outside the database (rules/hosted#10). */
  readonly pinPeppers: KeyRing;
  /** 32 bytes each. */
  readonly sealingKeys: KeyRing;
  /** Ed25519, PKCS#8 PEM. */
  readonly qrSigningKeys: KeyRing<string>;
  /** 32 bytes each, over the vault of identity data; null: this production keeps none (rules/identity#3). */
  readonly identityKeys: KeyRing | null;
}

/** The port of the metrics, unless METRICS_PORT is set. */
export const defaultMetricsPort = 9464;

/** Supervisors wait for a minute or two. */
const longestDrainDelay = 60;

export const shopAccess = ['loopback', 'all', 'off'] as const;
export type ShopAccess = (typeof shopAccess)[number];

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The secrets from the environment; the sandbox makes those that are null. */
export type SecretName = 'PIN_PEPPER' | 'SEALING_KEY' | 'QR_SIGNING_KEY' | 'IDENTITY_KEY';
export type Secrets = Pick<Config, 'pinPeppers' | 'sealingKeys' | 'qrSigningKeys' | 'identityKeys'>;
export type ParsedConfig = Omit<Config, keyof Secrets> & {
  readonly [S in keyof Secrets]: Secrets[S] | null;
};

/** Every fault of the settings, each as one line that names its setting. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings without changing anything, as `config check` does. An empty value counts as
 * absent. A secret `NAME` may stand in the file that `NAME_FILE` names instead.
 * @param known the built-in adapters
 * @throws ConfigError with every fault at once
 */
export function parseConfig(env: Environment, known: readonly AdapterSettings[]): ParsedConfig {
  const faults: Faults = [];
  const value = (name: string) => env[name] || undefined;
  const read = readers(value, faults);
  const environment = read.word('ENVIRONMENT', ['sandbox', 'production'], 'sandbox');
  const port = read.port('PORT', 8080);
  const adapters = chosenAdapters({ known, value, environment, faults });
  const isVault = adapters.some(({ name }) => name === 'manual');
  const secret = (name: SecretName) =>
    ownSecret(
      value,
      name,
      environment === 'production' && (name !== 'IDENTITY_KEY' || isVault),
      faults,
    );
  const rails = value('RAILS') ?? null;
  if (environment === 'production' && rails === null) reportLeft(adapters, faults);
  const publicUrl = read.origin('PUBLIC_URL', `http://localhost:${port}`);
  const ownHost = (name: string) => (value(name) === undefined ? null : read.origin(name, ''));
  const [consoleUrl, hostedUrl] = [ownHost('CONSOLE_URL'), ownHost('HOSTED_URL')];
  const addresses = { PUBLIC_URL: publicUrl, CONSOLE_URL: consoleUrl, HOSTED_URL: hostedUrl };
  for (const [name, url] of Object.entries(addresses))
    if (environment === 'production' && url !== null) reportAddress(name, url, faults);
  const isOnCitus = value('CELLS') === 'citus';
  const cells = isOnCitus ? [] : read.cells('CELLS');
  const parsed: ParsedConfig = {
    environment,
    port,
    hosts: env.HOST ? [env.HOST] : ['127.0.0.1', '::1'],
    publicUrl,
    consoleUrl,
    hostedUrl,
    trustedProxies: read.addresses('TRUSTED_PROXIES'),
    egressAddresses: read.addresses('EGRESS_ADDRESSES'),
    dataDir: resolve(value('DATA_DIR') ?? '.data'),
    databaseUrl: read.databaseUrl('DATABASE_URL', environment),
    migrationDatabaseUrl: read.databaseUrl('MIGRATION_DATABASE_URL', environment),
    databaseReadUrl: read.databaseUrl('DATABASE_READ_URL', environment),
    ...read.roles('ROLES', isOnCitus ? null : cells),
    cells,
    isOnCitus,
    ...remoteCellsOf(isOnCitus ? null : cells, env, read, environment, faults),
    metricsPort: read.port('METRICS_PORT', defaultMetricsPort),
    metricsHost: value('METRICS_HOST') ?? '127.0.0.1',
    drainDelaySeconds: read.seconds('DRAIN_DELAY_SECONDS', longestDrainDelay),
    shop: read.word('SHOP', shopAccess, 'loopback'),
    sampleWeek: read.word('SAMPLE_WEEK', ['0', '1'], '1') === '1' && environment === 'sandbox',
    approvals: approvalsOf(environment, read, faults),
    docs: read.docs('DOCS'),
    logLevel: read.word('LOG_LEVEL', logLevels, environment === 'sandbox' ? 'warn' : 'info'),
    telemetry: telemetryOf(value, faults),
    rails,
    adapters,
    railsDeadlines: railsDeadlinesOf(value('RAILS_DEADLINES'), faults),
    orderAlarmHours: orderAlarmHoursOf(value('ORDER_ALARM_HOURS'), faults),
    pinPeppers: read.secretKeys('PIN_PEPPER', secret('PIN_PEPPER')),
    sealingKeys: read.secretKeys('SEALING_KEY', secret('SEALING_KEY')),
    qrSigningKeys: read.signingKeys('QR_SIGNING_KEY', secret('QR_SIGNING_KEY')),
    identityKeys: read.secretKeys('IDENTITY_KEY', secret('IDENTITY_KEY')),
  };
  reportTogether(env, parsed, known, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return parsed;
}

function reportLeft(adapters: Config['adapters'], faults: Faults): void {
  const left = portsLeft(adapters).join(', ');
  if (left !== '')
    faults.push(
      `RAILS is required in production: the module that implements service/rails/ for ${left}`,
    );
}

/** Settings that cannot be taken together, and what production is not started with. */
function reportTogether(
  env: Environment,
  parsed: ParsedConfig,
  known: readonly AdapterSettings[],
  faults: Faults,
): void {
  const value = (name: string) => env[name] || undefined;
  if (parsed.databaseUrl === null && parsed.migrationDatabaseUrl !== null)
    faults.push('MIGRATION_DATABASE_URL is used with DATABASE_URL alone, which is not set');
  reportReads(parsed, faults);
  reportSchemas(value, readers(value, faults), faults);
  if (parsed.databaseUrl !== null && value('ENVIRONMENT') === undefined)
    faults.push('ENVIRONMENT must be set where DATABASE_URL is: sandbox or production');
  if (parsed.roles.has('api') && parsed.port !== 0 && parsed.metricsPort === parsed.port)
    faults.push('METRICS_PORT must be another port than PORT');
  if (parsed.environment === 'production') {
    // The log has the audit, what security needs, and alarms: no level hides a line of these.
    if (!['info', 'debug', 'trace'].includes(parsed.logLevel))
      faults.push('LOG_LEVEL must be info, debug or trace in production: the log tells the audit');
    reportCareless(env, parsed, faults);
    reportOpenFiles(secretFilesOf(known, parsed.adapters), env, faults);
  }
}

/** Secrets travel to it, and passkeys are made for the name of its host. */
function reportAddress(name: string, address: string, faults: Faults): void {
  if (!URL.canParse(address)) return;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'http:')
    faults.push(`${name} must be an https address in production, such as https://pay.example.com`);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    faults.push(`${name} must name its host in production: an IP address has no passkeys`);
}

const namesCell = (url: string | undefined): boolean => url?.includes('#') ?? false;

/** A standby beside the database, which takes no writes. */
function reportReads({ databaseUrl, databaseReadUrl }: ParsedConfig, faults: Faults): void {
  if (databaseReadUrl === null) return;
  if (databaseUrl === null)
    faults.push('DATABASE_READ_URL is used with DATABASE_URL alone, which is not set');
  if (wantsWrites(databaseReadUrl))
    faults.push(
      'DATABASE_READ_URL names one server, which may take no writes: no target_session_attrs',
    );
}

/** Reports faults of the schemas behind `#` in the addresses of a database. */
function reportSchemas(
  value: (name: string) => string | undefined,
  read: ReturnType<typeof readers>,
  faults: Faults,
): void {
  const [schema, migrated] = [
    read.schemaOf('DATABASE_URL'),
    read.schemaOf('MIGRATION_DATABASE_URL'),
  ];
  const readSchema = read.schemaOf('DATABASE_READ_URL');
  if (
    value('CELLS') !== undefined &&
    [value('DATABASE_URL'), value('MIGRATION_DATABASE_URL'), value('DATABASE_READ_URL')].some(
      namesCell,
    )
  )
    faults.push(
      'CELLS names the schemas, so DATABASE_URL, MIGRATION_DATABASE_URL and DATABASE_READ_URL name none behind #',
    );
  if (schema !== null && readSchema !== null && readSchema !== schema)
    faults.push('DATABASE_READ_URL must name the schema that DATABASE_URL names behind #');
  if (schema !== null && migrated !== null && schema !== migrated)
    faults.push('MIGRATION_DATABASE_URL must name the schema that DATABASE_URL names behind #');
}

/** One person alone is for a sandbox: in production the setting cannot be switched off. */
function approvalsOf(
  environment: Config['environment'],
  read: ReturnType<typeof readers>,
  faults: Faults,
): boolean {
  const usual = environment === 'production' ? 'on' : 'off';
  const approvals = read.word('APPROVALS', ['on', 'off'], usual);
  if (environment === 'production' && approvals === 'off')
    faults.push('APPROVALS cannot be off in production');
  return approvals === 'on';
}

/** The secret's text; null where the sandbox makes its own. */
function ownSecret(
  value: (name: string) => string | undefined,
  name: SecretName,
  isRequired: boolean,
  faults: Faults,
): string | null {
  const isSet = value(name) !== undefined || value(`${name}_FILE`) !== undefined;
  const where = name === 'IDENTITY_KEY' ? 'with IDENTITY=manual' : 'in production';
  if (!isSet && isRequired) faults.push(`${name} is required ${where} (or ${name}_FILE)`);
  return secretText(value, name, faults);
}
