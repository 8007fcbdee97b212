/** An address of several hosts, `h1:5432,h2:5433`, as libpq takes it; `URL` does not. */
const listed = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#@]*,[^/?#@]*)([/?#].*)?$/;

/** Names the hosts behind the first one, in the addresses that this service passes on. */
const others = 'other_hosts';
const attribute = 'target_session_attrs';

/** The values of `target_session_attrs`; libpq has more of them, for servers that only read. */
export const attributes = ['any', 'read-write', 'primary'] as const;
/** The values of `target_session_attrs` that want a server which takes writes. */
const writing: readonly string[] = ['read-write', 'primary'];

function parametersOf(url: string): URLSearchParams {
  const query = url.split('#', 1)[0]?.split('?', 2)[1];
  return new URLSearchParams(query);
}

/** The same address as one that `URL` reads: its first host, and the others as a parameter of ours. */
export function asUrl(text: string): string {
  const [, begin = '', hosts = '', rest = ''] = listed.exec(text) ?? [];
  if (hosts === '') return text;
  const [first = '', ...more] = hosts.split(',');
  const [path = '', query] = rest.split('?', 2);
  const params = new URLSearchParams(query);
  params.set(others, more.join(','));
  return `${begin}${first}${path}?${params}`;
}

/** The hosts of an address behind its first one, as `host:port`. */
const othersOf = (url: string): readonly string[] =>
  parametersOf(url).get(others)?.split(',') ?? [];

/** An address of one host. */
function withoutOthers(url: string): string {
  const [base = url, query] = url.split('?', 2);
  const params = new URLSearchParams(query);
  params.delete(others);
  params.delete(attribute);
  return params.size === 0 ? base : `${base}?${params}`;
}

/** Every host of an address as an address of its own, in order. */
export function hostsOf(url: string): readonly [string, ...string[]] {
  const [first, more] = [withoutOthers(url), othersOf(url)];
  const at = (host: string) =>
    first.replace(/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)[^/?#@]*/, `$1${host}`);
  return [first, ...more.map(at)];
}

/** A connection must find a server that takes writes (rules/engine#10). */
export const wantsWrites = (url: string): boolean =>
  writing.includes(parametersOf(url).get(attribute) ?? 'any');

/** Why the hosts of an address cannot be used so; null: they can. */
export function hostsFault(url: string): string | null {
  const wanted = parametersOf(url).get(attribute);
  const isKnown = wanted === null || (attributes as readonly string[]).includes(wanted);
  if (!isKnown) return `must have one of these as ${attribute}: ${attributes.join(', ')}`;
  if (othersOf(url).length > 0 && !wantsWrites(url))
    return `names several hosts, so it must say which one to take: ${attribute}=read-write`;
  if (othersOf(url).length > 0 && !hostsOf(url).every((one) => URL.canParse(one)))
    return 'must name each of its hosts as host:port';
  return null;
}

/** The hosts of an address as libpq's parameters, for servers that connect by it. */
export function libpqHosts(url: string): Readonly<Record<string, string>> {
  const found = hostsOf(url).map((one) => new URL(one));
  if (found.length === 1) return {};
  return {
    host: found.map(({ hostname }) => hostname).join(','),
    port: found.map(({ port }) => port || '5432').join(','),
  };
}

/** The parameter of ours, which libpq does not know. */
export const otherHosts = others;
