import type { BegunDeviceSignIn } from '@tenant-payments/backoffice/contract/people/device.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Reply } from './http/http.ts';
import type { TestServer } from './server.ts';

/** A program that signs in by a code: it has no cookie, no token and no origin. */
export interface Device {
  readonly begun: BegunDeviceSignIn;
  poll(): Promise<Reply>;
}

const path = '/portal/api/device-sign-in';

/** @param roles absent: as many as it is given */
export async function openDevice(
  { call }: Pick<TestServer, 'call'>,
  roles?: readonly Role[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Device> {
  const body = { client_name: 'Laptop of Ana', ...(roles ? { roles } : {}) };
  const begun = await call('POST', `${path}/begin`, { token: null, body, headers });
  if (begun.status !== 200) throw new Error(`begin: ${JSON.stringify(begun.body)}`);
  const { device_code } = begun.body;
  return {
    begun: begun.body,
    poll: () => call('POST', `${path}/token`, { token: null, body: { device_code }, headers }),
  };
}
