import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeDataDir } from '../db/embedded_place.ts';
import type { AdapterSettings } from '../rails/adapter.ts';
import {
  type Config,
  ConfigError,
  type ParsedConfig,
  parseConfig,
  type SecretName,
} from './config.ts';
import { keptText } from './kept_file.ts';
import { keyBytes, signingKeyPem } from './key_rings.ts';
import { readers } from './values.ts';

/** The files of the secrets that the sandbox made itself, one for each. */
export const secretFiles: Readonly<Record<SecretName, string>> = {
  PIN_PEPPER: 'pin_pepper.key',
  SEALING_KEY: 'sealing.key',
  QR_SIGNING_KEY: 'qr_signing.pem',
  IDENTITY_KEY: 'identity.key',
};

/**
 * The settings with all secrets. What the sandbox was not given it makes in DATA_DIR (mode 0600);
 * production was refused without them before.
 * @throws ConfigError with every fault at once, also when a kept secret has been damaged
 */
export async function loadConfig(
  env: NodeJS.ProcessEnv,
  known: readonly AdapterSettings[],
): Promise<Config> {
  return completeConfig(parseConfig(env, known));
}

/** Production on a database of its own keeps nothing on its disk: it may run where it cannot write. */
const keepsFiles = ({ environment, databaseUrl }: ParsedConfig) =>
  environment === 'sandbox' || databaseUrl === null;

/** Fills in what the environment did not give. @throws ConfigError as `loadConfig` */
export async function completeConfig(parsed: ParsedConfig): Promise<Config> {
  const { pinPeppers, sealingKeys, qrSigningKeys } = parsed;
  if (!keepsFiles(parsed) && pinPeppers && sealingKeys && qrSigningKeys)
    return { ...parsed, pinPeppers, sealingKeys, qrSigningKeys };
  return withOwnSecrets(parsed);
}

async function withOwnSecrets(parsed: ParsedConfig): Promise<Config> {
  const dataDir = await makeDataDir(parsed.dataDir);
  const faults: string[] = [];
  const read = readers(() => undefined, faults);
  const own = (name: SecretName, make: () => string) =>
    keptText(join(dataDir, secretFiles[name]), make);
  const newKey = () => randomBytes(keyBytes).toString('base64');
  const place = (name: SecretName) => join(dataDir, secretFiles[name]);

  const pinPeppers =
    parsed.pinPeppers ?? read.secretKeys(place('PIN_PEPPER'), await own('PIN_PEPPER', newKey));
  const sealingKeys =
    parsed.sealingKeys ?? read.secretKeys(place('SEALING_KEY'), await own('SEALING_KEY', newKey));
  const qrSigningKeys =
    parsed.qrSigningKeys ??
    read.signingKeys(
      place('QR_SIGNING_KEY'),
      await own('QR_SIGNING_KEY', () => signingKeyPem(randomBytes(keyBytes))),
    );
  // Production has a vault only where its settings say so.
  const identityKeys =
    parsed.identityKeys ??
    (parsed.environment === 'production'
      ? null
      : read.secretKeys(place('IDENTITY_KEY'), await own('IDENTITY_KEY', newKey)));
  const isComplete = identityKeys !== null || parsed.environment === 'production';
  if (pinPeppers === null || sealingKeys === null || qrSigningKeys === null || !isComplete)
    throw new ConfigError(faults);
  return { ...parsed, dataDir, pinPeppers, sealingKeys, qrSigningKeys, identityKeys };
}
