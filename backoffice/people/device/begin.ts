import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
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

const newId = idMaker();

/** Somebody asks for a key: two codes, of which the database has hashes (rules/device-sign-in#1). */
export const begin =
  (service: Service) =>
  async (
    { from }: Pick<Call, 'from'>,
    { client_name, roles = [] }: BodyOf<typeof beginDeviceSignIn>,
  ): Promise<BegunDeviceSignIn> => {
    const { control, clocks, config } = service;
    const nowMs = clocks.realNow();
    const device_code = newToken('tpd');
    const user_code = newUserCode();
    await removeExpired(service);
    await control.query(
      `insert into control.device_sign_ins (id, device_code_hash, user_code_index, client_name,
         client_address, asked_roles, created_at, expires_at, interval_seconds, status)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'waiting')`,
      [
        newId(nowMs),
        storedSecret(service, 'device_code', device_code),
        userCodeIndex(service, user_code),
        client_name,
        from.address,
        roles,
        instantOf(nowMs),
        instantOf(nowMs + lifetimes.deviceSignIn * 1_000),
        pollSeconds,
      ],
    );
    const verification_uri = `${consoleSite(config)}/portal/device`;
    return {
      device_code,
      user_code,
      verification_uri,
      verification_uri_complete: `${verification_uri}#code=${user_code}`,
      expires_in: lifetimes.deviceSignIn,
      interval: pollSeconds,
    };
  };
