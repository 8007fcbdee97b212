import { randomBytes } from 'node:crypto';
import { type Resealing, resealKeys } from '../../backoffice/approvals/platform/reseal.ts';
import { instantOf } from '../../engine/time/instant.ts';
import { keyBytes, type RingName } from '../../service/config/key_rings.ts';
import { readKeysStatus } from '../../service/keys/status.ts';
import type { Deployment } from './deployment.ts';
import { Fault } from './fault.ts';
import { submittedToPlatform } from './submit.ts';

const ringsOf = ({ settings }: Deployment) => ({
  SEALING_KEY: settings.sealingKeys,
  PIN_PEPPER: settings.pinPeppers,
  QR_SIGNING_KEY: settings.qrSigningKeys,
  IDENTITY_KEY: settings.identityKeys,
});

/** `20261124`, or `20261124b` where the ring has that one. */
function newId(taken: readonly string[], today: string): string {
  const ids = ['', ...'bcdefghijklmnopqrstuvwxyz'].map((more) => today + more);
  const id = ids.find((one) => !taken.includes(one));
  if (id === undefined) throw new Fault('the ring has 25 keys of today', 'Drop older ones first.');
  return id;
}

export const operations = {
  /** Counts in every cell. Without the vault: it also tells of a database whose keys are missing. */
  async status(deployment: Deployment) {
    const [{ db, config }, ...others] = await deployment.databases();
    return readKeysStatus(
      db,
      config,
      others.map((cell) => cell.db),
    );
  },

  async reseal(deployment: Deployment) {
    const { clocks, vault } = await deployment.parts();
    const cells = (await deployment.databases()).map(({ db }) => db);
    const told = { act: 'beginReseal', event: 'reseal_begun' } as const;
    const command = resealKeys({ cells, clocks }, vault);
    return submittedToPlatform<Resealing>(deployment, told, command, {});
  },

  /** A key for the environment of every process: it is stored nowhere, and changes nothing here. */
  async rotate(deployment: Deployment, { ring }: { readonly ring: RingName }) {
    const { settings } = deployment;
    const keys = ringsOf(deployment)[ring];
    if (keys === null)
      throw new Fault(
        settings.environment === 'production'
          ? `${ring} is not set: this deployment keeps no identity data`
          : `${ring} is not set: this sandbox keeps a key of its own in DATA_DIR`,
        settings.environment === 'production'
          ? 'It needs none unless IDENTITY is manual.'
          : `To replace it, set ${ring} to that key first.`,
      );
    const ids = keys.map(({ id }) => id);
    const today = instantOf(Date.now()).slice(0, 10).replaceAll('-', '');
    // 32 bytes are a key of each ring: QR_SIGNING_KEY takes them as the seed of its private key.
    const key = `${newId(ids, today)}:${randomBytes(keyBytes).toString('base64')}`;
    return { ring, ids, id: key.split(':', 1)[0] ?? '', key };
  },
};
