import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods of a path, sorted; none: no route has the path. */
    methodsAt(path: string): readonly string[];
  }
}

/** The routes by their segments: `:` stands for a segment that a caller chooses. */
interface Segment {
  readonly next: Map<string, Segment>;
  readonly methods: Set<string>;
}
const newSegment = (): Segment => ({ next: new Map(), methods: new Set() });

function remember(root: Segment, url: string, methods: readonly string[]): void {
  let at = root;
  for (const segment of url.split('/').slice(1)) {
    const key = segment.startsWith(':') ? ':' : segment;
    const next = at.next.get(key) ?? newSegment();
    at.next.set(key, next);
    at = next;
  }
  for (const method of methods) at.methods.add(method);
}

/** A segment that a route names is that route's, before it is one that a caller chooses. */
function methodsUnder(root: Segment, path: string): readonly string[] {
  let at: Segment | undefined = root;
  for (const segment of path.split('/').slice(1))
    at = at?.next.get(segment) ?? (segment === '' ? undefined : at?.next.get(':'));
  return [...(at?.methods ?? [])].sort();
}

/** Makes an app know the methods of its paths, without those that end in anything (`/docs/*`). */
export function rememberMethods(app: FastifyInstance): void {
  const root = newSegment();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.endsWith('*')) return;
    const methods = [method].flat();
    // HEAD is routed as GET (head.ts).
    remember(root, url, methods.includes('GET') ? [...methods, 'HEAD'] : methods);
  });
  app.decorate('methodsAt', (path) => methodsUnder(root, path));
}

/** `Allow` for a method that the path of a request does not have (RFC 9110, 10.2.1); null: it has none at all. */
export function allowOf({ server, url, method }: FastifyRequest): string | null {
  const methods = server.methodsAt(url.split('?', 1)[0] ?? url);
  return methods.length === 0 || methods.includes(method) ? null : methods.join(', ');
}
