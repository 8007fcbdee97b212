import type { Options } from './options.ts';

let scriptBase: string | undefined;

/** Only for the script tag, whose address is the service's. */
export function setBaseUrl(baseUrl: string): void {
  scriptBase = baseUrl;
}

/** @throws Error when the address is missing or is not http(s) */
export function baseOf({ baseUrl = scriptBase }: Pick<Options, 'baseUrl'>): string {
  if (baseUrl === undefined || !/^https?:\/\//i.test(baseUrl))
    throw new Error('open() needs baseUrl, the address of your Tenant Payments service');
  return baseUrl.replace(/\/+$/, '');
}
