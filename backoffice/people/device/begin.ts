import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  type BegunDeviceSignIn,
  type beginDeviceSignIn,
  pollSeconds,
} from '../../contract/people/device.ts';
import { removeExpired } from '../expired.ts';
import type { Call } from '../serve.ts';
import { newToken } from '../sign_in/secrets.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';
import { newUserCode, userCodeIndex } from './codes.ts';
import { deviceSignIns } from './table.ts';

interface Asking {
  readonly deviceCodeHash: string;
  readonly userCodeIndex: string;
  readonly clientName: string;
  readonly address: string;
  readonly roles: readonly Role[];
}

/** Nobody asks yet whom the audit could name. */
const ask = command('begin_device_sign_in', {
  load: async () => null,
  decide: (work, _none, input: Asking) => {
    const { id } = work.create(deviceSignIns, {
      id: work.newId(),
      device_code_hash: input.deviceCodeHash,
      user_code_index: input.userCodeIndex,
      client_name: input.clientName,
      client_address: input.address,
      asked_roles: input.roles,
      created_at: work.now,
      expires_at: addSeconds(work.now, lifetimes.deviceSignIn),
      interval_seconds: pollSeconds,
      polled_at: null,
      status: 'waiting',
      person_id: null,
      decided_at: null,
      scope: null,
      roles: null,
      key_expires_at: null,
      fetched_at: null,
    });
    return { value: id };
  },
});

/** Somebody asks for a key: two codes, of which the database has hashes (rules/device-sign-in#1). */
export const begin =
  (service: Service) =>
  async (
    { from }: Pick<Call, 'from'>,
    { client_name, roles = [] }: BodyOf<typeof beginDeviceSignIn>,
  ): Promise<BegunDeviceSignIn> => {
    const device_code = newToken(service, 'tpd');
    const user_code = newUserCode();
    await removeExpired(service);
    const input = {
      deviceCodeHash: storedSecret(service, 'device_code', device_code),
      userCodeIndex: userCodeIndex(service, user_code),
      clientName: client_name,
      address: from.address,
      roles,
    };
    await service.platformEngine.submit(ask, { tenantId: platformId, input });
    const verification_uri = `${consoleSite(service.config)}/portal/device`;
    return {
      device_code,
      user_code,
      verification_uri,
      verification_uri_complete: `${verification_uri}#code=${user_code}`,
      expires_in: lifetimes.deviceSignIn,
      interval: pollSeconds,
    };
  };
