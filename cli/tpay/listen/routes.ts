import { eventTypes } from '@tenant-payments/contract/catalog.ts';
import { UsageError } from '../../terminal.ts';
import { nearest } from '../nearest.ts';

/** A choice of events, and where they go. */
export interface Route {
  readonly takes: (type: string) => boolean;
  readonly url: string;
}

const matching = (pattern: string) => {
  const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*');
  const form = new RegExp(`^${source}$`);
  return (type: string) => form.test(type);
};

/** `payment.completed`, `payment.*`, `*`. @throws UsageError for a pattern that no event type meets */
function checkedPattern(pattern: string): (type: string) => boolean {
  const takes = matching(pattern);
  if (/^[a-z_.*]+$/.test(pattern) && eventTypes.some(takes)) return takes;
  const near = nearest(pattern, eventTypes);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(', or ')}?` : 'See them with: tpay events types';
  throw new UsageError(`no event type is ${JSON.stringify(pattern)}`, hint);
}

/** Several patterns with commas between; absent: every type. */
export function filterOf(patterns: string | undefined): (type: string) => boolean {
  if (patterns === undefined) return () => true;
  const all = patterns.split(',').map((pattern) => checkedPattern(pattern.trim()));
  return (type) => all.some((takes) => takes(type));
}

/** `3000`, `3000/hooks`, `localhost:3000/hooks` and whole addresses; the query stays. @throws UsageError */
export function targetOf(text: string): string {
  const whole = /^\d{1,5}(\/|$)/.test(text) ? `http://localhost:${text}` : text;
  const url = /^https?:\/\//.test(whole) ? whole : `http://${whole}`;
  if (URL.canParse(url)) return new URL(url).href;
  throw new UsageError(
    `${text} is no address`,
    'Give http://localhost:3000/webhooks, or a port: 3000',
  );
}

/** `payment.*=http://localhost:3000`. @throws UsageError */
function routeOf(text: string): Route {
  const [, pattern, url] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (pattern === undefined || url === undefined)
    throw new UsageError(
      `--route ${text} is not types=address`,
      "As in: --route 'payment.*=http://localhost:3000'",
    );
  return { takes: filterOf(pattern), url: targetOf(url) };
}

/** The routes of an event: all that take it, else to --forward-to. */
export function routesOf(routes: readonly string[] = [], forwardTo?: string) {
  const chosen = routes.map(routeOf);
  const rest = forwardTo === undefined ? [] : [targetOf(forwardTo)];
  const targets = [...new Set([...chosen.map(({ url }) => url), ...rest])];
  const urlsOf = (type: string): readonly string[] => {
    const urls = chosen.filter(({ takes }) => takes(type)).map(({ url }) => url);
    return urls.length > 0 ? [...new Set(urls)] : rest;
  };
  return { targets, urlsOf };
}
