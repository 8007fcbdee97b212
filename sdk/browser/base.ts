import type { Options } from './options.ts';

let scriptBase: string | undefined;

/** By the script tag alone: the SDK came from the service itself. */
export function setBaseUrl(baseUrl: string): void {
  scriptBase = baseUrl;
}

/** @throws Error where nobody said where the service is, or said a script to run instead */
export function baseOf({ baseUrl = scriptBase }: Pick<Options, 'baseUrl'>): string {
  if (baseUrl === undefined || !/^https?:\/\//i.test(baseUrl))
    throw new Error('open() needs baseUrl, the address of your Tenant Payments service');
  return baseUrl.replace(/\/+$/, '');
}
