import type { ShopError } from './api.ts';
import { dollars } from './shop.ts';
import type { Texts } from './texts/en.ts';

/** The party whose money is missing, and for what. */
export type Purpose = keyof Texts['refusals']['funds'];

/** The text on what was refused, and what the reader can do about it. @param momentOf a day and hour in words */
export function refusalText(
  { code, message, details }: Pick<ShopError, 'code' | 'message' | 'details'>,
  { refusals }: Pick<Texts, 'refusals'>,
  momentOf: (at: string) => string,
  purpose: Purpose,
): string {
  const { reason, limit = '', maximum = 0, used = 0, resets_at, available } = details;
  if (code === 'limit_exceeded') {
    const left = dollars(Math.max(0, maximum - used));
    const until = resets_at === undefined ? '' : momentOf(resets_at);
    return refusals.limits[limit]?.({ maximum: dollars(maximum), left, until }) ?? refusals.limit;
  }
  if (code === 'insufficient_funds' && available !== undefined)
    return refusals.funds[purpose](dollars(available));
  return (
    refusals.codes[`${code} ${reason}`] ??
    refusals.codes[code] ??
    message.replace(/^\w+: /, '').replace(/ \(request [^()]*\)$/, '')
  );
}
