import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { PortalEndpoint } from '@tenant-payments/backoffice/contract/endpoint.ts';

/** `/portal/api/clock/advance`, as a snippet calls it: by its path, with anything for an id. */
const pathsOf = (isOne: (path: string) => boolean): string =>
  Object.values<PortalEndpoint>(portalEndpoints)
    .filter(({ path, sandboxOnly }) => sandboxOnly && isOne(path))
    .map(({ path }) => path.replaceAll(/:\w+/g, '[^/\\s]+'))
    .join('|');

const played = ['/portal/api/clock', '/portal/api/chaos', '/portal/api/sample-events'];
const isPlayed = (path: string) => played.some((begin) => path.startsWith(begin));

/** By its name in a mark, how a snippet uses what only a sandbox has. */
const signs: Readonly<Record<string, RegExp>> = {
  simulate: /\/v1\/sandbox\/simulate\/|\bsandbox\.simulate\b|\btpay simulate\b/,
  'tpay trigger': /\btpay trigger\b/,
  'the clock': /\/portal\/api\/clock\b|\bclock (?:advance|to|reset|next-|business-day|month-end)/,
  chaos: /\/portal\/api\/chaos\b/,
  'sample events': /\/portal\/api\/sample-events\b/,
  'its operations': new RegExp(
    `(?:${pathsOf((path) => !isPlayed(path))})(?![\\w-])|\\btpay production-rules\\b`,
  ),
  "the portal's JSON with an access token":
    /\$BASE_URL\/portal\/api\/[^"\n]{0,200}"(?: \\\n)? {0,4}-H "Authorization: Bearer \$TOKEN"/,
  'sample people': /\bsample-(?:ana|ben|cleo|cafe|books)\b/,
  'test values': /public-sandbox-|\brt_test_|\b284617\b/,
  'an address of this machine':
    /"(?:url|return_urls|frame_origins)\\?":\s*\[?\\?"http:\/\/(?:localhost|127)/,
};

/** The languages of snippets that a reader runs, with how each writes a comment. */
export const comments: Readonly<Record<string, string>> = {
  sh: '#',
  python: '#',
  js: '//',
  ts: '//',
  go: '//',
};

/** The first line of a snippet that works in a sandbox alone, with why; null: it works in production too. */
export function sandboxMark(language: string, text: string): string | null {
  const comment = comments[language];
  const found = Object.keys(signs).filter((name) => signs[name]?.test(text));
  return comment && found.length > 0 ? `${comment} sandbox only: ${found.join(', ')}` : null;
}

/** The snippet with its mark. */
export function marked(language: string, text: string): string {
  const mark = sandboxMark(language, text);
  return mark === null ? text : `${mark}\n${text}`;
}
