import type { Environment } from '@tenant-payments/engine/production.ts';

/** The registered return addresses that an environment takes: plain http, on this machine, a sandbox alone (rules/operations#28). */
export const registeredIn = (
  environment: Environment,
  addresses: readonly string[],
): readonly string[] =>
  environment === 'sandbox'
    ? addresses
    : addresses.filter((address) => new URL(address).protocol !== 'http:');
